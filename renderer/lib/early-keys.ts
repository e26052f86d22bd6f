/** Key that was pressed before the part that handles it was there. */
interface EarlyKey {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
}

declare global {
  interface Window {
    /** Made by public/early-keys.js, which listens before this module has loaded. */
    earlyKeys?: { kept: EarlyKey[]; stop: () => void }
  }
}

/** Time after the first part in which the others come. Later, a key without a handler has none. */
const patienceMs = 3000

let hasBegun = false
let isReplaying = false
let isWanted = false

/** Gives kept keys to the parts that handle them; called for each part that has come. */
export function replayEarlyKeys(): void {
  isWanted = true
  if (isReplaying || window.earlyKeys === undefined) return
  if (!hasBegun) keepUnhandled(window.earlyKeys)
  isReplaying = true
  void replay().finally(() => (isReplaying = false))
}

async function replay(): Promise<void> {
  // Parts come together, children first.
  await nextTask()
  while (isWanted && window.earlyKeys !== undefined) {
    isWanted = false
    const { kept } = window.earlyKeys
    const unhandled: EarlyKey[] = []
    for (const key of kept.splice(0)) {
      if (press(key)) await nextTask()
      else unhandled.push(key)
    }
    kept.unshift(...unhandled)
  }
}

/** @returns whether a part has handled it */
function press(key: EarlyKey): boolean {
  const event = new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true })
  ;(document.activeElement ?? document.body).dispatchEvent(event)
  return event.defaultPrevented
}

/** From the first part on, keeps only keys that no part handles, and none in the end. */
function keepUnhandled({ kept, stop }: NonNullable<Window['earlyKeys']>): void {
  hasBegun = true
  stop()
  const listener = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, repeat, isTrusted } = event
    if (!isTrusted || repeat || altKey || ctrlKey || metaKey || key.length !== 1) return
    // Parts listen at the same place: the event is over when all have seen it.
    void nextTask().then(() => {
      if (!event.defaultPrevented && document.activeElement === document.body)
        kept.push({ key, ctrlKey, metaKey, shiftKey })
    })
  }
  window.addEventListener('keydown', listener)
  setTimeout(() => {
    window.removeEventListener('keydown', listener)
    delete window.earlyKeys
  }, patienceMs)
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
