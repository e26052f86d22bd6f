import type { RequestDetail } from '../../../contract/control-requests.ts'
import { html, type Html } from '../../../core/html.ts'
import { anchor, badge, facts, formatMs, message } from './report-parts.ts'

/** Renders a request and its response. */
export function requestSection(item: RequestDetail): Html {
  const { id, at, method, path, status, durationMs, app, user, grantType, error, detail } = item
  const { flowId, faultChanges = [], request, response } = item
  const tone = error === undefined ? 'plain' : 'bad'
  return html`<article id="${anchor('request', id)}">
    <h3>${method} ${path} ${badge(status === 0 ? 'cut' : String(status), tone)}</h3>
    ${facts([
      ['Received', at],
      ['Duration', formatMs(durationMs)],
      ['App', app?.name],
      ['User', user?.username],
      ['Grant', grantType],
      ['Error', error],
      ['Reason', detail],
      ['Changed by a fault', faultChanges.join('; ')],
      ['Sign-in', flowId && html`<a href="#${anchor('flow', flowId)}">${flowId}</a>`],
    ])}${message('Request', `${method} ${path}`, request)}${message('Response', String(status), response)}
  </article> `
}
