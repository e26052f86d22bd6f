import type { Overview } from '../../../server/contract/control-health.ts'
import { useOverview } from '../../api/overview.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyableId } from '../../ui/copy.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { formatDateTime } from '../../lib/format.ts'
import { ClientSettings } from './client-settings.tsx'
import { words } from './words.ts'

/** Settings with which a client uses this sandbox, and those of the sandbox itself. */
export function ClientSettingsPage() {
  const overview = useOverview()
  return (
    <Page title={words.clientSettings} lead="Makes a client of the Hub use this sandbox.">
      <QueryView query={overview} what="the settings">
        {(data) => (
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1.9fr)_minmax(0,1fr)]">
            <ClientSettings environment={data.environment} commandLine={data.commandLine} />
            <Server data={data} />
          </div>
        )}
      </QueryView>
    </Page>
  )
}

function Server({ data }: { data: Overview }) {
  return (
    <Panel title="Server">
      <Facts
        items={[
          ['Issuer', <CopyableId key="i" text={data.baseUrl} what="Issuer" isWhole />],
          ...(data.backChannelUrl === undefined
            ? []
            : [
                [
                  'Back channel',
                  <CopyableId key="b" text={data.backChannelUrl} what="Back channel" isWhole />,
                ] as const,
              ]),
          ['Version', data.version],
          ['Started', formatDateTime(data.startedAt)],
          [
            'Fixtures',
            <span key="f" className="font-mono text-xs break-all">
              {data.fixturesSource}
            </span>,
          ],
          [
            'Deliveries',
            <>
              profile <Badge key="p">{data.deliveryProfile}</Badge>
            </>,
          ],
          ['Rate limits', data.rateLimits ? 'enforced' : 'headers only, not enforced'],
          ['Large files', data.largeFiles === 'xet' ? 'by Xet, as on the Hub' : 'by Git LFS alone'],
          ['Strict', data.strict ? 'on: follow the specs strictly' : 'off (same as the Hub)'],
          [
            'Network',
            data.networkAllowed
              ? 'public addresses allowed'
              : 'offline: this machine and private addresses only',
          ],
        ]}
      />
    </Panel>
  )
}
