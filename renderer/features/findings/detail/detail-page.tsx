import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'
import type { AdviceRule } from '../../../../server/contract/control-advice.ts'
import { levelLooks } from '../../../shared/finding-mark.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Page } from '../../../ui/page.tsx'
import { Sources } from '../list/finding-card.tsx'
import { words } from '../words.ts'

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

interface MistakeProps {
  mistake: Pick<AdviceRule, 'title' | 'fix' | 'level' | 'sources'>
  /** Further facts, between the level and the sources. */
  facts: ComponentProps<typeof Facts>['items']
}

/** Describes the mistake that a check or module looks for, with its fix, level and sources. */
export function Mistake({ mistake: { title, fix, level, sources }, facts }: MistakeProps) {
  return (
    <>
      <p className="max-w-[72ch] text-sm text-pretty">{title}</p>
      <p className="max-w-[72ch] text-sm text-pretty">
        <strong className="font-semibold">{words.fix}:</strong> {fix}
      </p>
      <Facts
        items={[
          [
            words.level,
            <Badge key="level" {...levelLooks[level]}>
              {words.levels[level]}
            </Badge>,
          ],
          ...facts,
          [words.source, <Sources key="sources" sources={sources} />],
        ]}
      />
    </>
  )
}
