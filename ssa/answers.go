package ssa

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
	for h := uint32(mix(mix(0, a), b) >> 32); ; h++ {
		if s := &t.slot[h%answerSlots]; s.turn != t.turn || s.q == q {
			return s
		}
	}
}
