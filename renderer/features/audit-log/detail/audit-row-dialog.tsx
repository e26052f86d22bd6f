import { Link } from 'wouter'
import type { AuditItem } from '../../../../server/contract/control-accounts.ts'
import { Code } from '../../../ui/code.tsx'
import { Dialog, DialogBody } from '../../../ui/dialog.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { formatInstant } from '../../../lib/format.ts'
import { words } from '../words.ts'

/** A line of an audit log with all that it holds. */
export function AuditRowDialog({ row, onClose }: { row: AuditItem; onClose: () => void }) {
  const { organization, type, message, createdAt, author, data, ip, userAgent } = row
  return (
    <Dialog open onOpenChange={onClose} title={message} lead={`${type} in ${organization}`} wide>
      <DialogBody>
        <div className="flex flex-col gap-4 pb-1">
          <Facts
            items={[
              [words.when, formatInstant(createdAt)],
              [words.actor, author?.username ?? 'the Hub'],
              [words.app, row.clientId && <Way key="a" to="/apps" id={row.clientId} />],
              ['Token', row.tokenId && <Way key="t" to="/tokens" id={row.tokenId} />],
              ['IP address', ip],
              ['User agent', userAgent],
            ]}
          />
          {data && <Code json label="Data" text={JSON.stringify(data, null, 2)} />}
        </div>
      </DialogBody>
    </Dialog>
  )
}

function Way({ to, id }: { to: string; id: string }) {
  return (
    <Link
      href={`${to}/${encodeURIComponent(id)}`}
      className="font-mono text-xs break-all underline underline-offset-2"
    >
      {id}
    </Link>
  )
}
