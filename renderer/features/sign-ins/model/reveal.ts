import { createContext, useContext, useMemo, useState } from 'react'

/** Revealed secrets of a step. Kept in the window, never in the URL. */
export interface Reveal {
  names: ReadonlySet<string>
  toggle: (name: string) => void
}

export const RevealContext = createContext<Reveal>({
  names: new Set(),
  toggle: () => {},
})

export function useReveal(): Reveal {
  return useContext(RevealContext)
}

/** @param stepId a change masks all secrets again */
export function useRevealState(stepId: string): Reveal {
  const [shown, setShown] = useState({ stepId, names: new Set<string>() })
  const isSame = shown.stepId === stepId
  return useMemo(() => {
    const names = isSame ? shown.names : new Set<string>()
    return {
      names,
      toggle: (name) => {
        const after = new Set(names)
        if (!after.delete(name)) after.add(name)
        setShown({ stepId, names: after })
      },
    }
  }, [isSame, shown, stepId])
}
