import { useEffect, useEffectEvent } from 'react'

/** A key as `event.key` names it (`j`, `?`, `Escape`, `R` with shift), to what it does. */
export type Hotkeys = Record<string, (event: KeyboardEvent) => void>

/** Single keys are for the page, not for text being typed or a dialog on top. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) ||
    target.closest('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !==
      null
  )
}

/** Keys that a focused control acts on itself. */
function belongsToControl(event: KeyboardEvent): boolean {
  return (
    (event.key === 'Enter' || event.key === ' ') &&
    event.target instanceof HTMLElement &&
    event.target.closest('a, button, [role="tab"], summary') !== null
  )
}

/** A list is walked through with the key held down; all else happens once for each press. */
const movingKeys: ReadonlySet<string> = new Set(['j', 'k', 'ArrowDown', 'ArrowUp', '[', ']'])

/** Where anything else has the focus, an arrow scrolls or moves there. */
function isArrowElsewhere({ key, target }: KeyboardEvent): boolean {
  return key.startsWith('Arrow') && target instanceof Element && !target.matches('body, main')
}

export function useHotkeys(keys: Hotkeys, enabled = true): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
    if (isTyping(event.target) || belongsToControl(event) || isArrowElsewhere(event)) return
    const action = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
    if (!action) return
    event.preventDefault()
    if (!event.repeat || movingKeys.has(event.key)) action(event)
  })
  useEffect(() => {
    if (!enabled) return undefined
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [enabled])
}

/** ⌘K or Ctrl-K, wherever one types. */
export function usePaletteKey(action: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
