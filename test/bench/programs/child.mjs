// Shared by the programs of the bench: reads the options and reports the URL.
import { answerQuestions } from './questions.mjs'

/**
 * Reports that the program listens.
 * @param {string} url
 * @param {Record<string, (input: any) => unknown>} [questions] of the parent process, beside the common ones
 */
export function ready(url, questions = {}) {
  answerQuestions(questions)
  // Without a parent process the URL is printed, as `hub-sandbox --json` does.
  if (process.send === undefined) process.stdout.write(`${JSON.stringify({ url })}\n`)
  else process.send({ url })
}

/** @returns {any} options from the parent process */
export const options = () => JSON.parse(process.argv[2] ?? '{}')
