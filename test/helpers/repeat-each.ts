import { beforeAll, type RunnerTestSuite } from 'vitest'

/** Has every test below run a second time, and pass both times. */
function repeatEach({ tasks }: Pick<RunnerTestSuite, 'tasks'>): void {
  for (const task of tasks) {
    if (task.type === 'suite') repeatEach(task)
    else Object.assign(task, { repeats: 1, retry: 0 })
  }
}

// Set by test/run.mjs for --twice: what cannot pass again cannot be tried again after a hiccup either.
if (process.env['RUN_TESTS_TWICE'] !== undefined) {
  // oxlint-disable-next-line no-empty-pattern -- vitest asks for a pattern, of fixtures
  beforeAll(({}, suite) => repeatEach(suite))
}
