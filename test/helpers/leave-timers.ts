import { afterAll } from 'vitest'

const { setTimeout: real } = globalThis

// The files of a worker share its globals: in the next one nothing would ever come to pass.
afterAll(() => {
  if (globalThis.setTimeout !== real) throw new Error('false timers were left to the next file')
})
