import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { FlowStep } from '../../../../../server/contract/control-flows.ts'

interface StepWalkOptions {
  steps: readonly FlowStep[]
  /** Id of the step whose details are open. */
  openId: string | undefined
  /** Must be stable, or every step is drawn again. */
  onOpen: (id: string) => void
}

/** Steps that a key moves; infinite moves to an end. */
const strides: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  j: 1,
  k: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
}

/** Focus on the page as a whole, where keys control the steps. */
function isPage(target: EventTarget | null): boolean {
  return target === document.body || (target instanceof HTMLElement && target.id === 'main')
}

function buttonOf(list: HTMLElement, id: string): HTMLElement | undefined {
  const buttons = Array.from(list.querySelectorAll<HTMLElement>('[data-step]'))
  return buttons.find(({ dataset }) => dataset['step'] === id)
}

/** Current list. A narrower layout replaces one list with another, and the focus continues at the same step. */
function useList(lastId: string | undefined) {
  const [list, setState] = useState<HTMLOListElement | null>(null)
  const latest = useRef<HTMLOListElement | null>(null)
  const hadFocus = useRef(false)
  const setList = useCallback((next: HTMLOListElement | null) => {
    // The removed element is still in the page by then.
    if (next === null) hadFocus.current = latest.current?.contains(document.activeElement) === true
    latest.current = next
    setState(next)
  }, [])

  useLayoutEffect(() => {
    if (!list || !hadFocus.current) return
    hadFocus.current = false
    if (lastId !== undefined) buttonOf(list, lastId)?.focus({ preventScroll: true })
  }, [list, lastId])

  return { list, setList }
}

/** Makes the steps one Tab stop with arrow keys between them; open details follow. */
export function useStepWalk({ steps, openId, onOpen }: StepWalkOptions) {
  const [lastId, setLastId] = useState<string>()
  const { list, setList } = useList(lastId)
  const isThere = (id: string | undefined) => steps.some((step) => step.id === id)
  const stopId = [openId, lastId, steps[0]?.id].find(isThere)

  const isInside = (target: EventTarget | null) =>
    target instanceof Node && list?.contains(target) === true

  function move(stride: number): void {
    const here = steps.findIndex(({ id }) => id === stopId)
    // From outside, the first key returns to the last step.
    const index = Math.max(
      0,
      Math.min(steps.length - 1, here + (isInside(document.activeElement) ? stride : 0)),
    )
    const target = steps[Number.isFinite(stride) ? index : stride < 0 ? 0 : steps.length - 1]
    if (!target) return
    setLastId(target.id)
    if (list) buttonOf(list, target.id)?.focus()
    if (openId !== undefined && openId !== target.id) onOpen(target.id)
  }

  useEffect(() => {
    if (openId === undefined || !list) return
    buttonOf(list, openId)?.scrollIntoView({ block: 'nearest' })
  }, [openId, list])

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const stride = Object.hasOwn(strides, event.key) ? strides[event.key] : undefined
    if (stride === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.defaultPrevented || !(isPage(event.target) || isInside(event.target))) return
    event.preventDefault()
    move(stride)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])

  return {
    /** Sets the list that holds the buttons. */
    setList,
    walk: {
      /** Returns the focus to a step when its details close. */
      focus: (id: string) => list && buttonOf(list, id)?.focus(),
      /** Props of a step's button; stable unless something changed for it. */
      buttonProps: (id: string) => ({
        id,
        tabIndex: id === stopId ? 0 : -1,
        isOpen: id === openId,
        onOpen,
        onTouch: setLastId,
      }),
    },
  }
}

export type StepWalk = ReturnType<typeof useStepWalk>
export type StepButtonProps = ReturnType<StepWalk['walk']['buttonProps']>
