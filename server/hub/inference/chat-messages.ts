import type { ChatMessage } from '../../contract/hub-inference.ts'

/** Returns the text of a message; images and other parts have none. */
export function textOfMessage({ content }: Pick<ChatMessage, 'content'>): string {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text = '' }) => text).join('')
}
