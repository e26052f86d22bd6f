import type { FlowStepDetail } from '../../../../server/contract/control-flows.ts'
import { Code } from '../../../ui/code.tsx'
import { JsonView } from '../../../shared/json-view.tsx'
import { words } from '../words.ts'

type Message = NonNullable<FlowStepDetail['request'] | FlowStepDetail['answer']>

/** Message as sent over the wire, with masked secrets. */
export function RawMessage({ title, message }: { title: string; message: Message }) {
  const first = 'line' in message ? message.line : `HTTP ${message.status}`
  const headers = message.headers.map(([name, value]) => `${name}: ${value}`)
  return (
    <>
      <Code label={words.lineAndHeadersOf(title)} text={[first, ...headers].join('\n')} />
      {message.body && <JsonView label={words.bodyOf(title)} text={message.body} />}
      {message.truncated && <p className="text-xs text-warn">{words.bodyTruncated}</p>}
    </>
  )
}
