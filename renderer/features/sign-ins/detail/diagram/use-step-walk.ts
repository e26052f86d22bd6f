import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { FlowStep } from '../../../../../server/contract/control-flows.ts'

interface StepWalkOptions {
  steps: readonly FlowStep[]
  /** Of the step whose details are open. */
  openId: string | undefined
  /** The same function from one time to the next, or every step is drawn again. */
  onOpen: (id: string) => void
}

/** How far a key goes; what is not finite goes to an end. */
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

/** The focus is on the page as a whole: a key means what is most at hand. */
function isNobodys(target: EventTarget | null): boolean {
  return target === document.body || (target instanceof HTMLElement && target.id === 'main')
}

function buttonOf(list: HTMLElement, id: string): HTMLElement | undefined {
  const buttons = Array.from(list.querySelectorAll<HTMLElement>('[data-step]'))
  return buttons.find(({ dataset }) => dataset['step'] === id)
}

/**
 * The list that is there. Where there is less room, as beside the details that were just opened, another takes the
 * place of the first, and the focus goes on at the same step.
 */
function useList(lastId: string | undefined) {
  const [list, setState] = useState<HTMLOListElement | null>(null)
  const latest = useRef<HTMLOListElement | null>(null)
  const hadFocus = useRef(false)
  const setList = useCallback((next: HTMLOListElement | null) => {
    // What goes is still in the page by then.
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

/** The steps as one stop of the Tab key, in which arrows go from one to the next; open details go along. */
export function useStepWalk({ steps, openId, onOpen }: StepWalkOptions) {
  const [lastId, setLastId] = useState<string>()
  const { list, setList } = useList(lastId)
  const isThere = (id: string | undefined) => steps.some((step) => step.id === id)
  const stopId = [openId, lastId, steps[0]?.id].find(isThere)

  const isInside = (target: EventTarget | null) =>
    target instanceof Node && list?.contains(target) === true

  function move(stride: number): void {
    const here = steps.findIndex(({ id }) => id === stopId)
    // From outside the first key goes to where the walk stopped.
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
    if (event.defaultPrevented || !(isNobodys(event.target) || isInside(event.target))) return
    event.preventDefault()
    move(stride)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])

  return {
    /** Takes the list that the buttons are in. */
    setList,
    walk: {
      /** Gives a step back the focus, when its details close. */
      focus: (id: string) => list && buttonOf(list, id)?.focus(),
      /** What the button of a step has; the same as before unless something changed for it. */
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
