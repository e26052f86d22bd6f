import { createContext, useContext, useMemo, useState } from 'react'

/** Revealed secrets of a step. Kept in the window, never in the URL. */
export interface Reveal {
  /** False for an audience. */
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

/** @param stepId a change masks all secrets again */
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
