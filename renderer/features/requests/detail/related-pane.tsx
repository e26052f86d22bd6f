import type { RequestDetail } from '../../../../server/contract/control-requests.ts'
import { useWholeList } from '../../../api/query.ts'
import { withKey } from '../../../../server/contract/query/edit-query.ts'
import { formatBytes } from '../../../lib/format.ts'
import { AppWay, UserWay, Way } from '../../../shared/way.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { RequestLine } from '../list/request-line.tsx'
import { words } from '../words.ts'

/** Sign-in, app, user and fault of a request, and the requests that it has them in common with. */
export function RelatedPane({ request }: { request: RequestDetail }) {
  const { app, user, flowId, faultId, transfer, path } = request
  const [route = path] = path.split('?', 1)
  const all = useWholeList('GET requests').data?.items ?? []
  const original = all.find(({ id }) => id === request.resentFrom)
  const parts = all.filter((one) => transfer !== undefined && one.transfer?.id === transfer.id)
  const copies = all.filter(({ resentFrom }) => resentFrom === request.id)
  return (
    <div className="p-4">
      <Facts
        items={[
          [
            'Replay of',
            request.resentFrom &&
              (original ? <RequestLine key="o" request={original} /> : request.resentFrom),
          ],
          [
            'Replayed as',
            copies.length > 0 && copies.map((copy) => <RequestLine key={copy.id} request={copy} />),
          ],
          [
            transfer?.right === 'write' ? words.upload : words.download,
            parts.length > 0 &&
              parts.map((part) => (
                <RequestLine
                  key={part.id}
                  request={part}
                  isOpen={part.id === request.id}
                  note={formatBytes(part.transfer?.bytes ?? 0)}
                />
              )),
          ],
          [
            words.signIn,
            flowId && (
              <Way key="s" href={`/sign-ins/${encodeURIComponent(flowId)}`}>
                {words.viewDiagram}
              </Way>
            ),
          ],
          [words.app, app && <AppWay key="a" app={app} />],
          [words.user, user && <UserWay key="u" username={user.username} />],
          [
            words.token,
            request.tokenId && (
              <Way key="t" href={`/tokens/${request.tokenId}`}>
                {words.openToken}
              </Way>
            ),
          ],
          [
            'More requests',
            <ul key="m" className="flex flex-col gap-1">
              {app && <Alike name="app" value={app.name} />}
              {user && <Alike name="user" value={user.username} />}
              <Alike name="route" value={route} />
            </ul>,
          ],
          [
            words.fault,
            faultId && (
              <Way key="f" href="/faults">
                {faultId}
              </Way>
            ),
          ],
        ]}
      />
    </div>
  )
}

/** Link to all requests with this value. */
function Alike({ name, value }: { name: string; value: string }) {
  const query = withKey('requests', '', name, value)
  return (
    <li>
      <Way href={`/requests?q=${encodeURIComponent(query)}`}>{query}</Way>
    </li>
  )
}
