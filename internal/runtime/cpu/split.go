package cpu

// Times in nanoseconds by which launches are split. They are properties of Go's
// scheduler and of processors in general rather than of one machine, and nothing
// depends on them but speed.
const (
	callCost      = 120  // of a foreign call with reading the clock
	minThreadCost = 0.01 // no thread is believed to be cheaper
	shortPiece    = 2000 // a measurement this long tells what a thread costs
	shortLaunch   = 5000 // a launch this short is run by its caller
	helpCost      = 5000 // a helper is asked for if it has this much to do
	shortChunk    = 3000 // shorter chunks would be overhead for the most part
)

// growth is the factor between the pieces by which a launch feels its way.
const growth = 8

// Chunks are long at first and short at last, so that all workers end together
// however uneven the threads are, with few chunks. Few matter: a foreign call that is
// longer than some tens of microseconds loses its processor to the Go scheduler,
// which wakes a thread to find nothing else to do.
const (
	// A chunk is this part of what is left of a share, which leaves room for threads that cost a multiple of the average.
	sharing = 4
	// It is not shorter than this part of a share: that all end at the same time to a hundredth is enough.
	finest = 128
)

// Chunks end at multiples of chunkAlign threads, if they are that long: a whole
// number of vectors, and of cache lines even where an element is one byte, so that
// no two workers write to the same line.
const chunkAlign = 64

// A splitting is how the threads that are left of a launch are handed out.
type splitting struct {
	helpers int   // workers besides the caller
	least   int64 // threads of a chunk
	row     int64 // size of the last of several dimensions, or 0
	lanes   int64 // threads that run at once where there are as many: the unit of everything
}

// split decides how so many threads are run when each costs so many nanoseconds.
func split(threads, row, lanes int64, workers int, cost float64) splitting {
	helpers := min(int64(workers)-1, units(threads, lanes)-1)
	if worth := float64(threads) * cost / helpCost; worth < float64(helpers) {
		helpers = int64(worth)
	}
	s := splitting{helpers: int(helpers), row: row, lanes: lanes}
	least := max(shortChunk/cost, float64(threads)/float64((helpers+1)*finest))
	// But at least two for each worker, in case the cost is not what it was.
	s.least = max(1, min(int64(min(least, float64(threads))), threads/((helpers+1)*2)))
	s.least = units(s.least, lanes) * lanes
	return s
}

// units is how many vectors so many threads fill, the last one perhaps in part.
func units(threads, lanes int64) int64 { return (threads-1)/lanes + 1 }

// chunk is the number of threads from begin on that are taken of a share when there are rest left.
func (s *splitting) chunk(begin, rest int64) int64 {
	n := max(rest/sharing, s.least)
	if n >= rest {
		return rest
	}
	return s.align(begin+n, n) - begin
}

// align is where a piece of so many threads ends that would end at end: at a whole row or a multiple of chunkAlign, if
// it is long enough, else at a whole vector: threads that are left over run one by one, and take as long as several
// vectors.
func (s *splitting) align(end, n int64) int64 {
	switch {
	case s.row > 1 && n >= s.row:
		return end - end%s.row
	case n >= chunkAlign:
		return end - end%chunkAlign
	case n >= s.lanes:
		return end - end%s.lanes
	}
	return end
}
