import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { SpaceFrameDetail } from '../../../../server/contract/control-frames.ts'
import { frameHost } from '../../../../server/contract/frame-host.ts'
import { cookieModeTexts } from '../../../../server/contract/words/frame-words.ts'
import { dotenvLine } from '../../../../server/contract/dotenv.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Code } from '../../../ui/code.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Page, Panel } from '../../../ui/page.tsx'
import { desktopBridge } from '../../../lib/desktop.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { Select } from '../../../ui/select.tsx'
import { useCloseFrame, useSetMode, useSpaceFrame } from '../model/requests.ts'
import { words } from '../words.ts'
import { CallTable } from './call-table.tsx'
import { CookieList } from './cookie-list.tsx'
import { modeOptions } from './open-dialog.tsx'

/** What the Hub allows the frame of a Space; in particular, not to navigate the window around it. */
const sandboxOfHub =
  'allow-downloads allow-forms allow-modals allow-pointer-lock allow-popups allow-popups-to-escape-sandbox allow-same-origin allow-scripts allow-storage-access-by-user-activation'

/** An app in its frame, beside the verdicts on its cookies. */
export function FramePage({ id }: { id: string }) {
  const frame = useSpaceFrame(id)
  return (
    <QueryView
      query={frame}
      what="Space frame"
      wayOut={
        <Link href="/space-frames" className={buttonClass()}>
          All frames
        </Link>
      }
    >
      {(data) => <Content frame={data} />}
    </QueryView>
  )
}

/** Returns the URL of the app on another site than this page, whose host name may be either of the two. */
function urlOf({ url, port }: SpaceFrameDetail): string {
  const { pathname, search } = new URL(url)
  return `${location.protocol}//${frameHost(location.hostname, port)}${pathname}${search}`
}

function Content({ frame }: { frame: SpaceFrameDetail }) {
  const [, navigate] = useLocation()
  const setMode = useSetMode(frame)
  const close = useCloseFrame()
  const [loads, setLoads] = useState(0)
  const reload = () => setLoads((count) => count + 1)
  const url = urlOf(frame)
  const { target, space, mode, cookies, calls, problems, variables, pageVariables } = frame
  return (
    <Page
      title={`Space frame of ${space ?? target}`}
      lead={`This page is on ${location.host}, the app in it on ${new URL(url).host}.`}
      actions={
        <>
          <Button icon="retry" onClick={reload}>
            Reload
          </Button>
          <a href={url} target="_blank" rel="noreferrer" className={buttonClass()}>
            <Icon name="external" /> Open directly
          </a>
          <Button
            icon="cross"
            busy={close.isPending}
            // The live feed may take this page away before the response is worked up.
            onClick={() =>
              void close.mutateAsync(frame).then(
                () => navigate('/space-frames'),
                () => undefined,
              )
            }
          >
            Close frame
          </Button>
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-3 text-sm">
        <Select
          label={words.mode}
          value={mode}
          onChange={(next) => setMode.mutate(next, { onSuccess: reload })}
          options={modeOptions}
        />
        <p className="min-w-0 flex-1 basis-60 text-xs text-muted">{cookieModeTexts[mode].does}</p>
      </div>
      {problems.length > 0 && (
        <ul
          aria-label="Problems"
          className="mb-3 flex flex-col gap-1 rounded-lg bg-warn-soft px-3 py-2 text-sm"
        >
          {problems.map((problem) => (
            <li key={problem} className="flex gap-2 break-words">
              <Icon name="warning" className="mt-0.5 size-4 shrink-0 text-warn" />
              <span className="min-w-0">{problem}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <Panel flush>
          <AppFrame key={`${mode} ${loads}`} url={url} />
        </Panel>
        <Panel
          title="Cookies of the app"
          lead="As its responses set them. Cookies that scripts set are not seen."
        >
          <CookieList cookies={cookies} />
        </Panel>
      </div>
      <div className="flex flex-col gap-3 pt-3">
        <Panel
          title={words.requests}
          lead="Latest first. A mark tells where a cookie did not arrive or was not stored."
          flush
        >
          <CallTable calls={calls} />
        </Panel>
        {pageVariables !== undefined && (
          <Panel
            title={words.pageVariables}
            lead="In each page of a static Space; @huggingface/hub reads the app from it"
          >
            <Code
              label={words.pageVariables}
              text={JSON.stringify(pageVariables, undefined, 2)}
              wrap={false}
            />
          </Panel>
        )}
        {variables !== undefined && <Variables variables={variables} />}
      </div>
    </Page>
  )
}

function AppFrame({ url }: { url: string }) {
  if (desktopBridge() !== undefined) {
    return (
      <div className="flex flex-col items-start gap-3 p-4 text-sm">
        <p>{words.desktop}</p>
        <a href={location.href} target="_blank" rel="noreferrer" className={buttonClass()}>
          <Icon name="external" /> Open in browser
        </a>
      </div>
    )
  }
  return (
    <iframe
      title="App in the frame"
      src={url}
      sandbox={sandboxOfHub}
      allow="clipboard-read; clipboard-write; fullscreen; storage-access"
      referrerPolicy="strict-origin-when-cross-origin"
      className="h-130 w-full rounded-xl bg-white"
    />
  )
}

function Variables({ variables }: { variables: Readonly<Record<string, string>> }) {
  const text = Object.entries(variables)
    .map(([name, value]) => dotenvLine(name, value))
    .join('\n')
  return (
    <Panel
      title={words.variables}
      lead="Beside those of its OAuth app: hub-sandbox env --space"
      actions={<CopyButton text={text} what="environment variables" />}
    >
      <Code label={words.variables} text={text} wrap={false} />
    </Panel>
  )
}
