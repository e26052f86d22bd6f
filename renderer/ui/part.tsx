import { Component, type ReactNode } from 'react'
import { Failure } from './states.tsx'

interface PartProps {
  /** Shows no message for an optional part. */
  quiet?: boolean
  children: ReactNode
}

/**
 * A part of the dashboard whose code comes later. Where it does not come, as when the sandbox has stopped or was
 * replaced by a newer one, or breaks when it is drawn, an error message takes its place, and the rest stays as it is.
 */
export class Part extends Component<PartProps, { error?: Error }> {
  override state: { error?: Error } = {}

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    // A browser remembers a failed import until the page is reloaded.
    return this.props.quiet ? null : <Failure error={error} retry={() => location.reload()} />
  }
}
