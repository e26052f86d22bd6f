// Preloaded into the command line: lets the bench ask a program that knows nothing of it.
import { answerQuestions } from './questions.mjs'

answerQuestions()
