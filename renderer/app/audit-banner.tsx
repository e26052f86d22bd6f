import { Link } from 'wouter'
import { isOpenAudit, useAudits } from '../api/audits.ts'
import { Icon } from '../ui/icon.tsx'
import { buttonClass } from '../ui/button.tsx'

/** Banner on every page while an audit gives an app wrong responses: nobody should search for their cause. */
export function AuditBanner() {
  const audit = useAudits().data?.items.find((one) => one.kind === 'app' && isOpenAudit(one))
  if (audit?.clientId === undefined) return null
  return (
    <section
      aria-label="Running audit"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-warn-soft px-4 py-1.5 text-sm"
    >
      <Icon name="warning" className="size-4 shrink-0 text-warn" />
      <p className="min-w-60 flex-1">{`An audit gives ${audit.subject} wrong responses on purpose. Its sign-ins may fail.`}</p>
      <Link
        href={`/apps/${encodeURIComponent(audit.clientId)}?tab=tests`}
        className={buttonClass('plain', 'small')}
      >
        Show audit
      </Link>
    </section>
  )
}
