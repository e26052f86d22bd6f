import { Component, type ReactNode, Suspense } from 'react'
import { Failure, Loading } from './states.tsx'

interface PartProps {
  /** What loads, where that is said: nothing is shown in the place of others. */
  what?: string
  children: ReactNode
}

/**
 * A part of the dashboard whose code comes later. Where it does not come, as when the sandbox has stopped or was
 * replaced by a newer one, or breaks when it is drawn, that is told in its place, and the rest stays as it is.
 */
export function Part({ what, children }: PartProps) {
  return (
    <Boundary quiet={what === undefined}>
      <Suspense fallback={what && <Loading what={what} />}>{children}</Suspense>
    </Boundary>
  )
}

interface BoundaryProps {
  quiet: boolean
  children: ReactNode
}

/** React offers this to classes alone. */
class Boundary extends Component<BoundaryProps, { error?: Error }> {
  override state: { error?: Error } = {}

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    // A browser keeps in mind that code did not come until the page is loaded anew.
    return this.props.quiet ? null : <Failure error={error} retry={() => location.reload()} />
  }
}
