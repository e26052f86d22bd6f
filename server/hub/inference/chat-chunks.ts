import type { ChatResponse } from '../../contract/hub-inference.ts'
import { tokensOf } from './token-counts.ts'

/** Length of a part of the stream, in characters: each part costs more than the events in it. */
const partLength = 4096

/**
 * Yields a completion as the server-sent events of a stream, one for each token or call. The events are made as they are
 * read, several in a part.
 */
export function* chatEvents(completion: ChatResponse, includeUsage: boolean): Generator<string> {
  let part = ''
  for (const event of eventsOf(completion, includeUsage)) {
    part += event
    if (part.length < partLength) continue
    yield part
    part = ''
  }
  yield part
}

function* eventsOf(completion: ChatResponse, includeUsage: boolean): Generator<string> {
  const { id, created, model, usage } = completion
  const [choice] = completion.choices
  // All events begin and end alike: to format each as a whole takes five times as long.
  const start = JSON.stringify({ id, object: 'chat.completion.chunk', created, model }).slice(0, -1)
  const send = (choices: string, usageText: string) =>
    `data: ${start},"choices":[${choices}]${usageText}}\n\n`
  const part = (delta: string, finish: string | null = null) =>
    send(
      `{"index":0,"delta":${delta},"finish_reason":${JSON.stringify(finish)}}`,
      includeUsage ? ',"usage":null' : '',
    )
  yield part('{"role":"assistant","content":""}')
  for (const content of tokensOf(choice?.message.content ?? '')) {
    yield part(`{"content":${JSON.stringify(content)}}`)
  }
  for (const [index, call] of (choice?.message.tool_calls ?? []).entries()) {
    yield part(JSON.stringify({ tool_calls: [{ index, ...call }] }))
  }
  yield part('{}', choice?.finish_reason)
  if (includeUsage) yield send('', `,"usage":${JSON.stringify(usage)}`)
  yield 'data: [DONE]\n\n'
}
