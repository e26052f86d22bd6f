import type { AppItem } from '../../../../server/contract/control-apps.ts'
import type { FlowItem } from '../../../../server/contract/control-requests.ts'
import type { Snippet } from '../../../../server/contract/control-snippets.ts'
import { useRead } from '../../../api/query.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { Button } from '../../../ui/button.tsx'
import { Code } from '../../../ui/code.tsx'
import { CopyableId, CopyButton } from '../../../ui/copy.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { useFramework } from '../../../lib/framework.ts'
import { useAddRedirectUri } from '../model/requests.ts'
import { words } from '../words.ts'
import { Environment } from './environment.tsx'
import { Listening } from './listening.tsx'

interface ConnectTabProps {
  app: AppItem
  /** Its sign-ins, newest first; absent while they load. */
  flows: readonly FlowItem[] | undefined
}

/** A snippet of the chosen framework that signs in as the app, and whether it has begun to. */
export function ConnectTab({ app, flows }: ConnectTabProps) {
  const [chosen, choose] = useFramework()
  const snippets = useRead('GET apps/:clientId/snippets', { params: { clientId: app.clientId } })
  return (
    <QueryView query={snippets} what="snippets">
      {({ items }) => {
        const snippet = items.find(({ framework }) => framework === chosen)
        return (
          <div className="flex flex-col gap-3 pt-4">
            <Segments
              label="Framework"
              value={chosen}
              onChange={choose}
              options={items.map(({ framework, name }) => ({ value: framework, label: name }))}
            />
            <Listening flows={flows} />
            {snippet && <SnippetView key={chosen} app={app} snippet={snippet} />}
          </div>
        )
      }}
    </QueryView>
  )
}

function SnippetView({ app, snippet }: { app: AppItem; snippet: Snippet }) {
  const { name, unsuited, redirectUri, install, run, url, files } = snippet
  const commands = [install, run].filter((command) => command !== undefined).join('\n')
  return (
    <>
      {unsuited !== undefined && (
        <Hint title={`${name} cannot sign in as this app`}>{unsuited}</Hint>
      )}
      {redirectUri !== undefined && <RedirectUri app={app} snippet={snippet} />}
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-3">
          <Environment key={app.clientSecret} app={app} environment={snippet.environment} />
          <Panel
            title={words.installAndRun}
            lead="In the folder of the files, in bash or zsh."
            actions={<CopyButton text={commands} what="commands" />}
          >
            <Code label={words.installAndRun} text={commands} />
            {url !== undefined && (
              <p className="pt-2 text-sm text-muted">
                Then open{' '}
                <a
                  href={url}
                  target="_blank"
                  rel="noreferrer"
                  className="text-accent underline underline-offset-2"
                >
                  {url}
                </a>
              </p>
            )}
          </Panel>
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          {files.map((file) => (
            <Panel
              key={file.name}
              title={file.name}
              actions={<CopyButton text={file.text} what={file.name} />}
            >
              <Code label={file.name} text={file.text} wrap={false} />
            </Panel>
          ))}
        </div>
      </div>
    </>
  )
}

/** Redirect URI of a snippet; where the app lacks it, one click adds it. */
function RedirectUri({ app, snippet }: { app: AppItem; snippet: Snippet }) {
  const { redirectUri = '', refusedBecause } = snippet
  const add = useAddRedirectUri(app)
  if (refusedBecause === undefined) {
    return (
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
        {words.redirectUri}
        <CopyableId text={redirectUri} isWhole what={words.redirectUri} />
        <span className="inline-flex items-center gap-1 text-xs text-ok">
          <Icon name="check" className="size-3.5" /> registered
        </span>
      </p>
    )
  }
  // Only the publisher of a metadata document changes it.
  const isChangeable = app.origin !== 'metadata-document'
  return (
    <Hint
      title={
        <>
          {words.redirectUri} <code className="font-mono break-all">{redirectUri}</code>
        </>
      }
      action={
        isChangeable && (
          <Button
            look="primary"
            icon="plus"
            busy={add.isPending}
            onClick={() => add.mutate(redirectUri)}
          >
            Add redirect URI
          </Button>
        )
      }
    >
      {`Not registered: ${refusedBecause}.`}
    </Hint>
  )
}

function Hint({
  title,
  action,
  children,
}: {
  title: React.ReactNode
  action?: React.ReactNode
  children: string
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-warn-soft px-3 py-2 text-sm">
      <div className="flex min-w-0 flex-1 basis-60 gap-2">
        <Icon name="warning" className="mt-0.5 size-4 text-warn" />
        <div className="min-w-0">
          <p className="font-medium">{title}</p>
          <p className="break-words">{children}</p>
        </div>
      </div>
      {action}
    </div>
  )
}
