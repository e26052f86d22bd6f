import type { RequestDetail } from '../../../../server/contract/control-requests.ts'
import { useRead } from '../../../api/query.ts'
import { Code } from '../../../ui/code.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { CodePane } from '../../../shared/code-pane.tsx'
import { DetailPanel } from '../../../shared/detail-panel.tsx'
import type { DetailPane } from '../../../shared/detail-panes.ts'
import { repeatExamples } from '../../../shared/repeat-request.ts'
import { JsonView } from '../../../shared/json-view.tsx'
import { FindingMark } from '../../../shared/finding-mark.tsx'
import { Fixes } from '../../../shared/suggested-fixes.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { formatBytes, formatInstant, formatTook } from '../../../lib/format.ts'
import { StatusBadge } from '../list/status-badge.tsx'
import { repeated } from '../model/repeated.ts'
import { RequestActions } from './request-actions.tsx'
import { RelatedPane } from './related-pane.tsx'
import { AppWay, UserWay, Way } from '../../../shared/way.tsx'
import { TimelinePane } from './timeline-pane.tsx'
import { ruleName, words } from '../words.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'

interface RequestPanelProps {
  id: string
  pane: DetailPane | undefined
  onPane: (pane: DetailPane) => void
  /** Absent in a dialog, which has its own button. */
  onClose?: (() => void) | undefined
}

/** Open request. */
export function RequestPanel({ id, ...rest }: RequestPanelProps) {
  const request = useRead('GET requests/:id', { params: { id } })
  return (
    <QueryView query={request} what="this request">
      {(data) => <OpenRequest request={data} {...rest} />}
    </QueryView>
  )
}

function OpenRequest({
  request,
  pane = 'summary',
  ...rest
}: Omit<RequestPanelProps, 'id'> & { request: RequestDetail }) {
  return (
    <DetailPanel
      label="Parts of the request"
      heading={<RequestHeading request={request} />}
      actions={<RequestActions key={request.id} request={request} />}
      pane={pane}
      {...rest}
      contents={{
        summary: { renderContent: () => <Summary request={request} /> },
        request: {
          renderContent: () => <Message title={words.request} message={request.request} />,
        },
        response: {
          renderContent: () => <Message title={words.response} message={request.response} />,
        },
        timeline: { renderContent: () => <TimelinePane request={request} /> },
        related: { renderContent: () => <RelatedPane request={request} /> },
        code: {
          renderContent: () => (
            <CodePane
              label="Code that repeats the request"
              examples={repeatExamples(repeated(request))}
              note={
                request.request.truncated
                  ? words.bodyCut
                  : 'Tokens and secrets are masked: insert yours.'
              }
            />
          ),
        },
      }}
    />
  )
}

function RequestHeading({ request }: { request: RequestDetail }) {
  return (
    <div className="flex items-start gap-2">
      <StatusBadge status={request.status} expected={request.expected} />
      <h2 className="line-clamp-3 min-w-0 flex-1 font-mono text-sm break-all" title={request.path}>
        {request.method} {request.path}
      </h2>
      <FindingMark of={{ requestId: request.id }} />
    </div>
  )
}

function Summary({ request }: { request: RequestDetail }) {
  return (
    <div className="flex flex-col gap-4 p-4">
      {request.error && (
        <div
          className={classNames(
            'flex gap-2.5 rounded-lg p-3',
            request.expected ? 'bg-sunken' : 'bg-bad-soft',
          )}
        >
          <Icon
            name="info"
            className={classNames('mt-0.5 size-4', request.expected ? 'text-muted' : 'text-bad')}
          />
          <div className="min-w-0">
            <p
              className={classNames(
                'font-mono text-sm font-semibold',
                !request.expected && 'text-bad',
              )}
            >
              {request.error}
            </p>
            {request.expected && (
              <p className="text-sm text-muted">
                A normal step of the protocol: not counted as a failure.
              </p>
            )}
            <p className="text-sm">
              {visibleControls(request.detail ?? 'The response contains all details.')}
            </p>
          </div>
        </div>
      )}
      {!request.error && request.detail && (
        <p className="text-sm">{visibleControls(request.detail)}</p>
      )}
      {request.error && request.flowId && <Fixes flowId={request.flowId} />}
      <Facts
        items={[
          [words.received, formatInstant(request.at)],
          ['Completed', formatInstant(request.endedAt)],
          [words.duration, describeTook(request)],
          [words.app, request.app && <AppWay key="a" app={request.app} />],
          [words.user, request.user && <UserWay key="u" username={request.user.username} />],
          [
            words.token,
            request.tokenId && (
              <Way key="t" href={`/tokens/${request.tokenId}`}>
                {words.openToken}
              </Way>
            ),
          ],
          ['Grant', request.grantType],
          [words.model, request.inference?.model],
          [
            words.rule,
            request.inference?.rule === undefined ? undefined : ruleName(request.inference.rule),
          ],
          [
            words.streamed,
            request.inference && (request.inference.streamed ? words.yes : words.no),
          ],
          [
            words.signIn,
            request.flowId && (
              <Way key="s" href={`/sign-ins/${encodeURIComponent(request.flowId)}`}>
                {words.viewDiagram}
              </Way>
            ),
          ],
          [
            words.fault,
            request.faultId && (
              <span key="f" className="text-warn">
                {request.faultChanges === undefined
                  ? words.unchangedBy(request.faultId)
                  : words.changedBy(request.faultId, request.faultChanges.join('; '))}
              </span>
            ),
          ],
        ]}
      />
    </div>
  )
}

/** Duration in real time; `at` and `endedAt` are on the sandbox clock, which may have been changed meanwhile. */
function describeTook({ at, endedAt, durationMs }: RequestDetail): string {
  const apart = Math.abs(Date.parse(endedAt) - Date.parse(at) - durationMs)
  return apart < 1000
    ? formatTook(durationMs)
    : `${formatTook(durationMs)} in real time; the sandbox clock was changed meanwhile`
}

function Message({ title, message }: { title: string; message: RequestDetail['request'] }) {
  const headers = message.headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  return (
    <section className="flex flex-col gap-1.5 p-4">
      <h3 className="eyebrow">
        {title}
        {message.size > 0 &&
          ` · ${formatBytes(message.size)}${message.truncated ? ', truncated' : ''}`}
      </h3>
      <Code label={words.headersOf(title)} text={headers || '(no headers)'} />
      {message.body && <JsonView label={words.bodyOf(title)} text={message.body} />}
    </section>
  )
}
