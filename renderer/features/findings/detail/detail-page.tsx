import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { buttonClass } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Page } from '../../../ui/page.tsx'

/** Page about one check or module, with the way back to the list. */
export function DetailPage({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Page
      title={id}
      actions={
        <Link href="/findings" className={buttonClass()}>
          <Icon name="check" /> All checks
        </Link>
      }
    >
      {children}
    </Page>
  )
}
