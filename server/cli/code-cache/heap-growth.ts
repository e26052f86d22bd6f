import { setFlagsFromString } from 'node:v8'

/** Flags of V8 with which the heap grows slowly, and their usual values. */
const flags = [
  { name: 'semi-space-growth-factor', slow: 1, usual: 2 },
  { name: 'heap-growing-percent', slow: 100, usual: 0 },
]

let isSlow = false

/**
 * Makes V8 collect garbage earlier. By default the heap grows to four times what is in use, because records of requests
 * outlive the young generation: 274 MB after 100,000 requests on Node 24 instead of 133 MB, for 5 % of CPU time.
 */
export function growHeapSlowly(): void {
  isSlow = true
  setFlags()
}

/** Runs `act` with the usual flags: V8 rejects cached code that was made under other flags. */
export function withUsualFlags<T>(act: () => T): T {
  if (!isSlow) return act()
  isSlow = false
  setFlags()
  try {
    return act()
  } finally {
    growHeapSlowly()
  }
}

function setFlags(): void {
  for (const { name, slow, usual } of flags) {
    setFlagsFromString(`--${name}=${isSlow ? slow : usual}`)
  }
}
