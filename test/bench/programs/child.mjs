// What every program of the bench shares: it is handed options, and tells its address.
import { answerQuestions } from './questions.mjs'

/**
 * @param {string} url where the program answers
 * @param {Record<string, (input: any) => unknown>} [questions] what the parent may ask, beside the common ones
 */
export function ready(url, questions = {}) {
  answerQuestions(questions)
  // Without a parent that asks, the address goes to stdout, as `hub-sandbox --json` prints it.
  if (process.send === undefined) process.stdout.write(`${JSON.stringify({ url })}\n`)
  else process.send({ url })
}

/** @returns {any} what the parent handed in */
export const options = () => JSON.parse(process.argv[2] ?? '{}')
