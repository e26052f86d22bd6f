import type { AuditModuleItem } from '../../../../server/contract/control-audits.ts'
import { levelLooks } from '../../../shared/finding-mark.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Empty } from '../../../ui/states.tsx'
import { Sources } from '../list/finding-card.tsx'
import { useModules } from '../model/requests.ts'
import { words } from '../words.ts'
import { DetailPage } from './detail-page.tsx'

/** A module of an audit: what it sends, what it expects, and its fix and sources. */
export function ModulePage({ id }: { id: string }) {
  const modules = useModules()
  return (
    <DetailPage id={id}>
      <QueryView query={modules} what="this module">
        {({ items }) => {
          const module = items.find((known) => known.id === id)
          return module === undefined ? (
            <Empty icon="search" title="Unknown module">
              {`There is no module ${id}.`}
            </Empty>
          ) : (
            <Module module={module} />
          )
        }}
      </QueryView>
    </DetailPage>
  )
}

function Module({ module }: { module: AuditModuleItem }) {
  const { kind, title, level, sends, expected, plans, needs, fix, sources } = module
  return (
    <Panel title={words.ofAudit[kind]}>
      <div className="flex flex-col gap-3">
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
            ...(sends === title ? [] : ([['Sends', sends]] as const)),
            ['Expected', expected],
            ['Plans', plans.join(', ')],
            ...(needs === undefined ? [] : ([['Needs', needs]] as const)),
            [words.source, <Sources key="sources" sources={sources} />],
          ]}
        />
      </div>
    </Panel>
  )
}
