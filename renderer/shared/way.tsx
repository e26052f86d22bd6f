import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { visibleControls } from '../lib/visible-controls.ts'

/** Link to the page of a user. */
export function UserWay({ username }: { username: string }) {
  return <Way href={`/people/${encodeURIComponent(username)}`}>{username}</Way>
}

/** Link to the page of an app. */
export function AppWay({ app: { clientId, name } }: { app: { clientId: string; name: string } }) {
  return <Way href={`/apps/${encodeURIComponent(clientId)}`}>{visibleControls(name)}</Way>
}

/** Link to another thing, among the facts of one. */
export function Way({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="break-all text-accent hover:underline">
      {children}
    </Link>
  )
}
