import type { LiveEntry, LiveMessage } from '../../server/contract/live.ts'

/** Recent facts of the live feed, newest first: the timeline of the overview. */
export interface LiveHistory {
  entries: () => readonly LiveEntry[]
  add: (message: LiveMessage) => void
  subscribe: (listener: () => void) => () => void
}

/** Limit for each type, so that a flood of one does not push out the others. */
const capacityOfType = 1000

/** @param isListed whether a fact is kept at all: most of them are steps of what others tell */
export function createLiveHistory(isListed: (entry: LiveEntry) => boolean): LiveHistory {
  const listeners = new Set<() => void>()
  let entries: readonly LiveEntry[] = []
  /** Sequence number of the newest fact received, kept or not. */
  let lastSeq = 0
  return {
    entries: () => entries,
    add(message) {
      const [first] = message.entries
      const last = message.entries.at(-1)
      // Sequence numbers restart with the sandbox, and a reset clears the history.
      const startsOver =
        message.gap === true &&
        (first === undefined || first.seq <= lastSeq || first.type === 'sandbox.reset')
      const fresh = message.entries
        .filter((entry) => (startsOver || entry.seq > lastSeq) && isListed(entry))
        .toReversed()
      lastSeq = last?.seq ?? (startsOver ? 0 : lastSeq)
      if (fresh.length === 0 && !startsOver) return
      entries = capTypes([...fresh, ...(startsOver ? [] : entries)])
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function capTypes(entries: readonly LiveEntry[]): LiveEntry[] {
  const counts = new Map<string, number>()
  return entries.filter(({ type }) => {
    const count = (counts.get(type) ?? 0) + 1
    counts.set(type, count)
    return count <= capacityOfType
  })
}
