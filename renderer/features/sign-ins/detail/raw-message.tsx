import type { FlowStepDetail } from '../../../../server/contract/control-flows.ts'
import { Code } from '../../../ui/code.tsx'
import { prettyJson } from '../../../lib/pretty-json.ts'
import { words } from '../words.ts'

type Message = NonNullable<FlowStepDetail['request'] | FlowStepDetail['answer']>

/** Message as sent over the wire, with masked secrets. */
export function RawMessage({ title, message }: { title: string; message: Message }) {
  const first = 'line' in message ? message.line : `HTTP ${message.status}`
  const headers = message.headers.map(([name, value]) => `${name}: ${value}`)
  const body = prettyJson(message.body ?? '')
  return (
    <>
      <Code label={words.lineAndHeadersOf(title)} text={[first, ...headers].join('\n')} />
      {body.text && <Code label={words.bodyOf(title)} json={!body.error} text={body.text} />}
      {message.truncated && <p className="text-xs text-warn">{words.bodyTruncated}</p>}
    </>
  )
}
