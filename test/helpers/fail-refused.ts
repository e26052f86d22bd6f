import { afterEach } from 'vitest'
import { attempts } from './refuse-network.ts'

// The code under test may take a refusal for an answer; the test must fail all the same.
afterEach(() => {
  const hosts = attempts.splice(0)
  if (hosts.length > 0) throw new Error(`connected beyond this machine: ${hosts.join(', ')}`)
})
