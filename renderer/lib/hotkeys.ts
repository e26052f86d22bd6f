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

export function useHotkeys(keys: Hotkeys, enabled = true): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
    if (isTyping(event.target) || belongsToControl(event)) return
    const action = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
    if (!action) return
    event.preventDefault()
    action(event)
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
