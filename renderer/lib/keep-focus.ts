/** Place of an element that was removed from the page. */
interface Gap {
  parent: Element
  before: Element | undefined
  after: Element | undefined
}

type Side = 'previousElementSibling' | 'nextElementSibling'

/** Remembered elements with focus: openers of nested dialogs and more. */
const mostPlaces = 6
/** Waits for a closing dialog, which restores the focus first. */
const waitMs = 50

const focusable =
  'a[href], button:enabled, input:enabled, textarea:enabled, select:enabled, summary, [tabindex="0"]'

/**
 * Keeps the focus near its place when the focused element is removed, as a button does that deletes its own row.
 * Otherwise it falls to the page, and keyboard users start at the top again.
 * @returns a function that stops it
 */
export function keepFocus(): () => void {
  /** Elements that had the focus, newest first. */
  let places: HTMLElement[] = []
  const gaps = new WeakMap<Element, Gap>()
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Tells whether the focused element is gone and only an ancestor has the focus. */
  function isLost(): boolean {
    const [newest] = places
    if (newest === undefined || (newest.isConnected && !newest.matches(':disabled'))) return false
    const around = newest.isConnected ? newest : gaps.get(newest)?.parent
    return document.activeElement?.contains(around?.isConnected ? around : document.body) ?? true
  }

  function remember({ target }: FocusEvent): void {
    // A dialog restores the focus before this observer runs.
    note(observer.takeRecords())
    if (isLost()) lookSoon()
    else if (target instanceof HTMLElement) {
      places = [target, ...places.filter((place) => place !== target)].slice(0, mostPlaces)
    }
  }

  function look(): void {
    if (isLost()) {
      const near = places.map((place) =>
        place.isConnected ? nearestTo(place) : nearestToGap(gaps.get(place)),
      )
      near.find((element) => element !== undefined)?.focus()
      return
    }
    // A click on the empty page clears the focus on purpose.
    if (document.activeElement === document.body) places = []
  }

  function lookSoon(): void {
    clearTimeout(timer)
    timer = setTimeout(look, waitMs)
  }

  function note(records: readonly MutationRecord[]): void {
    for (const { target, removedNodes, previousSibling, nextSibling } of records) {
      const parent = target instanceof Element ? target : undefined
      for (const node of parent === undefined ? [] : removedNodes) {
        for (const place of places) {
          if (parent === undefined || !node.contains(gaps.get(place)?.parent ?? place)) continue
          const before = elementAt(previousSibling, 'previousElementSibling')
          gaps.set(place, { parent, before, after: elementAt(nextSibling, 'nextElementSibling') })
        }
      }
    }
  }

  const observer = new MutationObserver((records) => {
    note(records)
    if (isLost()) lookSoon()
  })
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled'],
  })
  document.addEventListener('focusin', remember)
  document.addEventListener('focusout', lookSoon)
  return () => {
    observer.disconnect()
    clearTimeout(timer)
    document.removeEventListener('focusin', remember)
    document.removeEventListener('focusout', lookSoon)
  }
}

/** Element nearest to a node on one side, the node itself first. */
function elementAt(node: Node | null, side: Side): Element | undefined {
  if (node instanceof Element) return node
  return (node instanceof CharacterData && node[side]) || undefined
}

function nearestToGap(gap: Gap | undefined): HTMLElement | undefined {
  if (gap?.parent.isConnected !== true) return undefined
  const { parent, before, after } = gap
  // Another page took the place of the whole content, and may already show what its URL names.
  if (parent.matches('main')) return nearestTo(parent)
  return (
    firstOf(after, 'nextElementSibling') ??
    firstOf(before, 'previousElementSibling') ??
    // A removed element may have been inserted again.
    firstOf(parent.firstElementChild, 'nextElementSibling') ??
    nearestTo(parent)
  )
}

/** Focusable element before or after another, in the smallest part of the page that has one. */
function nearestTo(element: Element): HTMLElement | undefined {
  // Another page has no element nearby.
  if (element instanceof HTMLElement && element.matches('main')) return element
  const { nextElementSibling, previousElementSibling, parentElement } = element
  return (
    firstOf(nextElementSibling, 'nextElementSibling') ??
    firstOf(previousElementSibling, 'previousElementSibling') ??
    (parentElement === null || parentElement === document.body
      ? undefined
      : nearestTo(parentElement))
  )
}

/** First focusable element in an element, or among its siblings on one side. */
function firstOf(element: Element | null | undefined, side: Side): HTMLElement | undefined {
  for (let part = element; part?.isConnected; part = part[side]) {
    const found = [part, ...part.querySelectorAll(focusable)].find(
      (item) => item.matches(focusable) && item.checkVisibility({ visibilityProperty: true }),
    )
    if (found instanceof HTMLElement) return found
  }
  return undefined
}
