// Preloaded into programs that are independent of the bench.
import { answerQuestions } from './questions.mjs'

answerQuestions()
