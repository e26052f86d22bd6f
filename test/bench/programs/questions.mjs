// Questions of the parent process, which every program of the bench answers.

/** @type {Record<string, (input: any) => unknown>} */
const common = {
  /** CPU time of all threads so far, and resident memory. */
  usage() {
    const { user, system } = process.cpuUsage()
    return { cpuMs: (user + system) / 1000, residentBytes: process.memoryUsage.rss() }
  },
}

/**
 * Answers the questions of the parent process, and exits with it.
 * @param {Record<string, (input: any) => unknown>} [questions] beside the common ones
 */
export function answerQuestions(questions = {}) {
  const answers = { ...common, ...questions }
  const answer = async (/** @type {{ id: number, name: string, input: unknown }} */ question) => {
    const { id, name, input } = question
    try {
      process.send?.({ id, answer: await answers[name]?.(input) })
    } catch (error) {
      process.send?.({ id, failure: String(error) })
    }
  }
  process.on('message', (/** @type {any} */ question) => void answer(question))
  process.on('disconnect', () => process.exit())
}
