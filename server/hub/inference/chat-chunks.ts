import type { ChatAnswer } from '../../contract/hub-inference.ts'
import { tokensOf } from './tokens.ts'

/** Returns a completion as the server-sent events of a stream, one for each token or call. */
export function* chatEvents(completion: ChatAnswer, includeUsage: boolean): Generator<string> {
  const { id, created, model, usage } = completion
  const [choice] = completion.choices
  const send = (choices: unknown[], more = {}) => {
    const chunk = { id, object: 'chat.completion.chunk', created, model, choices, ...more }
    return `data: ${JSON.stringify(chunk)}\n\n`
  }
  const part = (delta: object, finish?: string) =>
    send([{ index: 0, delta, finish_reason: finish ?? null }], includeUsage ? { usage: null } : {})
  yield part({ role: 'assistant', content: '' })
  for (const content of tokensOf(choice?.message.content ?? '')) yield part({ content })
  for (const [index, call] of (choice?.message.tool_calls ?? []).entries()) {
    yield part({ tool_calls: [{ index, ...call }] })
  }
  yield part({}, choice?.finish_reason)
  if (includeUsage) yield send([], { usage })
  yield 'data: [DONE]\n\n'
}
