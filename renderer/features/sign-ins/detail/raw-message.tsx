import type { FlowStepDetail } from '../../../../server/contract/control-flows.ts'
import { Code } from '../../../ui/code.tsx'
import { JsonView } from '../../../shared/json-view.tsx'

type Message = NonNullable<FlowStepDetail['request'] | FlowStepDetail['answer']>

/** Message as sent over the wire, with masked secrets. */
export function RawMessage({ title, message }: { title: string; message: Message }) {
  const first = 'line' in message ? message.line : `HTTP ${message.status}`
  const headers = message.headers.map(([name, value]) => `${name}: ${value}`)
  return (
    <>
      <Code label={`${title} line and headers`} text={[first, ...headers].join('\n')} />
      {message.body && <JsonView label={`${title} body`} text={message.body} />}
      {message.truncated && <p className="text-xs text-warn">The body is truncated here.</p>}
    </>
  )
}
