/** Where something was before it was taken out of the page. */
interface Gap {
  parent: Element
  before: Element | undefined
  after: Element | undefined
}

type Side = 'previousElementSibling' | 'nextElementSibling'

/** How many elements that had the focus are remembered: what opened a dialog over a dialog, and more. */
const mostPlaces = 6
/** A dialog that closes gives the focus back first. */
const waitMs = 50

const focusable =
  'a[href], button:enabled, input:enabled, textarea:enabled, select:enabled, summary, [tabindex="0"]'

/**
 * Keeps the focus near where it was when what has it goes, as a button does that removes its own row:
 * else it falls to the page, and whoever works by keyboard begins at the top again.
 * @returns a function that stops it
 */
export function keepFocus(): () => void {
  /** What had the focus, the newest first. */
  let places: HTMLElement[] = []
  const gaps = new WeakMap<Element, Gap>()
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Whether what had the focus cannot have it any more, and all that has it now is something around it. */
  function isLost(): boolean {
    const [newest] = places
    if (newest === undefined || (newest.isConnected && !newest.matches(':disabled'))) return false
    const around = newest.isConnected ? newest : gaps.get(newest)?.parent
    return document.activeElement?.contains(around?.isConnected ? around : document.body) ?? true
  }

  function remember({ target }: FocusEvent): void {
    // A dialog takes the focus back itself, before it is told what was taken out of it.
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
    // Who clicks beside everything wants no focus.
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

/** The element nearest to a node on a side of it, the node itself first. */
function elementAt(node: Node | null, side: Side): Element | undefined {
  if (node instanceof Element) return node
  return (node instanceof CharacterData && node[side]) || undefined
}

function nearestToGap(gap: Gap | undefined): HTMLElement | undefined {
  if (gap?.parent.isConnected !== true) return undefined
  const { parent, before, after } = gap
  return (
    firstOf(after, 'nextElementSibling') ??
    firstOf(before, 'previousElementSibling') ??
    // What was taken out may have been put in anew.
    firstOf(parent.firstElementChild, 'nextElementSibling') ??
    nearestTo(parent)
  )
}

/** What follows an element or comes before it, in the smallest part of the page that has something. */
function nearestTo(element: Element): HTMLElement | undefined {
  // Another page has nothing that would be near.
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

/** The first that can have the focus in an element, or else in those on a side of it. */
function firstOf(element: Element | null | undefined, side: Side): HTMLElement | undefined {
  for (let part = element; part?.isConnected; part = part[side]) {
    const found = [part, ...part.querySelectorAll(focusable)].find(
      (item) => item.matches(focusable) && item.checkVisibility({ visibilityProperty: true }),
    )
    if (found instanceof HTMLElement) return found
  }
  return undefined
}
