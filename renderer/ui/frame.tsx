import { createContext, type ReactNode, useContext } from 'react'

const FrameContext = createContext(false)

/** Whether something around has a border: what stands for an empty list needs none of its own then. */
export function useIsFramed(): boolean {
  return useContext(FrameContext)
}

/** Content of something that has a border. */
export function Framed({ children }: { children: ReactNode }) {
  return <FrameContext value={true}>{children}</FrameContext>
}
