import type { ReactNode } from 'react'
import { Link } from 'wouter'

/** Link to another thing, among the facts of one. */
export function Way({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="break-all text-accent hover:underline">
      {children}
    </Link>
  )
}
