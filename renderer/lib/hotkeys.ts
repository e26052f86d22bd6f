import { useEffect, useEffectEvent } from 'react'
import { hasSingleKeys } from './browser-settings.ts'
import { replayEarlyKeys } from './early-keys.ts'

/** A key as `event.key` names it (`j`, `?`, `Escape`, `R` with shift), to what it does. */
export type Hotkeys = Record<string, (event: KeyboardEvent) => void>

/** Tells whether a key belongs to a text field or to a dialog on top. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  // No text goes into a slider.
  if (target.matches('input[type="range"]')) return false
  return (
    target.isContentEditable ||
    ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) ||
    target.closest('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !==
      null
  )
}

/** Tells whether the focused control handles the key itself. */
function belongsToControl(event: KeyboardEvent): boolean {
  return (
    (event.key === 'Enter' || event.key === ' ') &&
    event.target instanceof HTMLElement &&
    event.target.closest('a, button, [role="tab"], summary') !== null
  )
}

/** Keys that repeat while held; all others act once per press. */
const movingKeys: ReadonlySet<string> = new Set([
  'j',
  'k',
  'ArrowDown',
  'ArrowUp',
  'ArrowLeft',
  'ArrowRight',
  '[',
  ']',
])

/** Tells whether an arrow key scrolls or moves in the focused element. */
function isArrowElsewhere({ key, target }: KeyboardEvent): boolean {
  return key.startsWith('Arrow') && target instanceof Element && !target.matches('body, main')
}

/** Letters, digits and punctuation, which speech input may type by accident (WCAG 2.1.4). */
function isCharacter(key: string): boolean {
  return key.length === 1 && key !== ' '
}

interface HotkeyOptions {
  /** The page has no lists or tabs of its own that arrow keys move in. */
  ownsArrows?: boolean
}

export function useHotkeys(
  keys: Hotkeys,
  enabled = true,
  { ownsArrows = false }: HotkeyOptions = {},
): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
    if (isTyping(event.target) || belongsToControl(event)) return
    if (!ownsArrows && isArrowElsewhere(event)) return
    const action = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
    if (!action || (isCharacter(event.key) && !hasSingleKeys())) return
    event.preventDefault()
    if (!event.repeat || movingKeys.has(event.key)) action(event)
  })
  useEffect(() => {
    if (!enabled) return undefined
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listener)
    replayEarlyKeys()
    return () => window.removeEventListener('keydown', listener)
  }, [enabled])
}

/** ⌘K or Ctrl-K, even in a text field. */
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
