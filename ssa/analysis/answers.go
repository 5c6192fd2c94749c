package analysis

// answers are the parts of a question that have been asked so far: a hash table of fixed
// size that is cleared by counting, since there are so many questions.
type answers struct {
	turn uint32
	slot [answerSlots]answer
}

const answerSlots = 1024 // a power of two, and more than twice proofBudget

type answer struct {
	turn uint32 // in which it was asked
	q    question
	s    shortest
}

func (t *answers) clear() {
	if t.turn++; t.turn == 0 {
		*t = answers{turn: 1}
	}
}

// find is the slot of a part of the question, whose turn is t.turn if it has been asked. It
// stays the part's until the next question.
func (t *answers) find(q question, a, b int) *answer {
	for h := uint32(Mix(Mix(0, a), b) >> 32); ; h++ {
		if s := &t.slot[h%answerSlots]; s.turn != t.turn || s.q == q {
			return s
		}
	}
}

// Mix adds a number to a hash, the upper bits of which are the good ones.
func Mix(h uint64, n int) uint64 {
	h = (h ^ uint64(n)) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}
