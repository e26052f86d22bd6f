import { createContext, type ReactNode, useContext } from 'react'

const FrameContext = createContext(false)

/** Returns true inside of an element with a border, where an empty list needs no border of its own. */
export function useIsFramed(): boolean {
  return useContext(FrameContext)
}

/** Wraps the content of an element with a border. */
export function Framed({ children }: { children: ReactNode }) {
  return <FrameContext value={true}>{children}</FrameContext>
}
