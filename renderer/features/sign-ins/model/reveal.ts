import { createContext, useContext, useMemo, useState } from 'react'

/** Which secrets of a step are shown as they are. Kept by the window alone: never in an address. */
export interface Reveal {
  /** Nothing is shown to an audience. */
  isAllowed: boolean
  names: ReadonlySet<string>
  toggle: (name: string) => void
}

export const RevealContext = createContext<Reveal>({
  isAllowed: false,
  names: new Set(),
  toggle: () => {},
})

export function useReveal(): Reveal {
  return useContext(RevealContext)
}

/** @param stepId another step has secrets of its own: those of the one before are masked again */
export function useRevealState(stepId: string, isAllowed: boolean): Reveal {
  const [shown, setShown] = useState({ stepId, names: new Set<string>() })
  const isSame = isAllowed && shown.stepId === stepId
  return useMemo(() => {
    const names = isSame ? shown.names : new Set<string>()
    return {
      isAllowed,
      names,
      toggle: (name) => {
        const after = new Set(names)
        if (!after.delete(name)) after.add(name)
        setShown({ stepId, names: after })
      },
    }
  }, [isAllowed, isSame, shown, stepId])
}
