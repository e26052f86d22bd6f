import type { AuditModuleItem } from '../../../../server/contract/control-audits.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Empty } from '../../../ui/states.tsx'
import { useModules } from '../model/requests.ts'
import { words } from '../words.ts'
import { DetailPage, Mistake } from './detail-page.tsx'

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
              {`No module has the id ${id}.`}
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
  const { kind, title, sends, expected, plans, needs } = module
  return (
    <Panel title={words.ofAudit[kind]}>
      <div className="flex flex-col gap-3">
        <Mistake
          mistake={module}
          facts={[
            ...(sends === title ? [] : ([['Sends', sends]] as const)),
            ['Expected', expected],
            ['Plans', plans.join(', ')],
            ...(needs === undefined ? [] : ([['Needs', needs]] as const)),
          ]}
        />
      </div>
    </Panel>
  )
}
