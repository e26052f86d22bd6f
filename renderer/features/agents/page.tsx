import { hubMcpTools } from '../../../server/contract/words/mcp-words.ts'
import { useOverview } from '../../api/overview.ts'
import { QueryView } from '../../shared/query-view.tsx'
import { Chip } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { CopyableId, CopyButton } from '../../ui/copy.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { shellWord } from '../../lib/shell-quote.ts'
import { ConfigurationView } from './detail/configuration-view.tsx'
import { CallsPanel } from './list/calls-panel.tsx'
import { DocumentsPanel } from './list/documents-panel.tsx'
import { agentConfigurations, clientConfigurations } from './model/configurations.ts'
import { words } from './words.ts'

/** How MCP clients sign in to the Hub's server, and how coding agents control the sandbox. */
export function AgentsPage() {
  const overview = useOverview()
  return (
    <Page
      title={'MCP & agents'}
      lead="Connect MCP clients that sign in to the Hub, and coding agents that control this sandbox."
    >
      <QueryView query={overview} what="settings">
        {({ baseUrl, commandLine: { command, options } }) => (
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <div className="flex min-w-0 flex-col gap-4">
              <ClientPanel url={`${baseUrl}/mcp`} />
              <CallsPanel />
            </div>
            <div className="flex min-w-0 flex-col gap-4">
              <AgentPanel url={baseUrl} command={command} options={options} />
              <DocumentsPanel />
            </div>
          </div>
        )}
      </QueryView>
    </Page>
  )
}

function ClientPanel({ url }: { url: string }) {
  const loginUrl = `${url}?login`
  return (
    <Panel title="Connect an MCP client" lead={words.clientLead}>
      <div className="flex flex-col gap-3">
        <Facts
          items={[
            [words.url, <CopyableId key="url" text={url} isWhole what={words.url} />],
            [
              words.loginUrl,
              <CopyableId key="login" text={loginUrl} isWhole what={words.loginUrl} />,
            ],
          ]}
        />
        <ConfigurationView label={words.client} configurations={clientConfigurations(loginUrl)} />
        <div>
          <h3 className="text-sm font-semibold">{words.toolsAndScopes}</h3>
          <p className="text-xs text-muted">A token of an app also needs the scope read-mcp.</p>
        </div>
        <Table
          label={words.toolsAndScopes}
          rows={hubMcpTools}
          rowKey={({ name }) => name}
          columns={toolColumns}
          isNarrow
        />
      </div>
    </Panel>
  )
}

const toolColumns: readonly Column<(typeof hubMcpTools)[number]>[] = [
  {
    title: 'Tool',
    minWidth: 9,
    sortBy: ({ name }) => name,
    renderCell: ({ name, does }) => (
      <>
        <span className="block truncate font-mono text-xs">{name}</span>
        <span className="block text-xs whitespace-normal text-muted">{does}</span>
      </>
    ),
  },
  {
    title: 'Needs',
    width: 10,
    renderCell: (tool) =>
      'needs' in tool ? <Chip>{tool.needs}</Chip> : <span className="text-muted">nothing</span>,
  },
]

function AgentPanel({
  url,
  command,
  options,
}: {
  url: string
  command: readonly string[]
  options: readonly string[]
}) {
  const skill = [...command, 'init', '--agent'].map(shellWord).join(' ')
  return (
    <Panel title="Connect a coding agent" lead={words.agentLead}>
      <div className="flex flex-col gap-3">
        <ConfigurationView
          label={words.client}
          configurations={agentConfigurations(url, [...command, 'mcp', ...options])}
        />
        <div className="flex items-start justify-between gap-2">
          <div className="min-w-0">
            <h3 className="text-sm font-semibold">{words.skill}</h3>
            <p className="text-xs text-muted">
              Writes SKILL.md, which tells an agent how to test a Hub app with the sandbox.
            </p>
          </div>
          <CopyButton text={skill} what={words.skill}>
            {words.copy}
          </CopyButton>
        </div>
        <Code label={words.skill} text={skill} />
      </div>
    </Panel>
  )
}
