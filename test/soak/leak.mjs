// Loaded into the sandbox by a test, to see that a soak notices: each request leaves a timer and some memory behind.
import { subscribe } from 'node:diagnostics_channel'

/** @type {unknown[]} */
const kept = []

subscribe('http.server.request.start', () => {
  kept.push(Array.from({ length: 2000 }, () => ({})))
  setTimeout(() => kept.length, 2 ** 31 - 1)
})
