import { Link } from 'wouter'
import type { OrganizationItem } from '../../../../server/contract/control-accounts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge, Chip } from '../../../ui/badge.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Empty } from '../../../ui/states.tsx'
import { CardList } from '../../../ui/virtual-list.tsx'
import { formatCount } from '../../../lib/format.ts'
import { useMediaQuery } from '../../../lib/media-query.ts'
import { words } from '../words.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'

interface OrganizationListProps {
  organizations: readonly OrganizationItem[]
  onEdit: (organization: OrganizationItem) => void
}

export function OrganizationList({ organizations, onEdit }: OrganizationListProps) {
  const columns = useMediaQuery('(min-width: 64rem)') ? 2 : 1
  if (organizations.length === 0) {
    return (
      <Empty icon="people" title="No organizations">
        Add one to try roles, token exchange and the audit log.
      </Empty>
    )
  }
  return (
    <CardList
      label={words.organizations}
      items={organizations}
      itemKey={({ id }) => id}
      columns={columns}
      estimateSize={180}
      renderItem={(organization) => (
        <article className="flex min-w-0 flex-col gap-3 rounded-xl border border-line bg-surface p-4">
          <div className="flex items-start gap-3">
            <Avatar
              name={organization.name}
              url={organization.avatarUrl}
              className="size-9 rounded-lg!"
            />
            <div className="min-w-0 flex-1">
              <h2 className="truncate text-base font-semibold" title={organization.name}>
                {organization.name}
              </h2>
              <p className="line-clamp-2 text-xs text-muted">
                {visibleControls(organization.fullname)}
              </p>
            </div>
            <Badge tone="accent">{organization.plan}</Badge>
          </div>
          <ul className="flex flex-wrap gap-x-4 gap-y-1.5">
            {organization.members.slice(0, shownMembers).map(({ user, role }) => (
              <li key={user.id} className="flex max-w-full items-center gap-1.5 text-sm">
                <Avatar name={user.username} url={user.avatarUrl} />
                <span className="truncate" title={user.username}>
                  {user.username}
                </span>
                <span className="text-xs whitespace-nowrap text-faint">{role}</span>
              </li>
            ))}
            {organization.members.length > shownMembers && (
              <li className="text-sm text-muted">
                {`and ${formatCount(organization.members.length - shownMembers)} more`}
              </li>
            )}
          </ul>
          {(organization.resourceGroups.length > 0 ||
            organization.securityRestrictions.length > 0) && (
            <div className="flex flex-wrap gap-1">
              {organization.resourceGroups.map(({ id, name, members }) => (
                <Chip key={id}>{`group ${name}: ${members.length}`}</Chip>
              ))}
              {organization.securityRestrictions.map(({ type, users }) => (
                <Badge key={type} tone="warn" icon="lock">
                  {type} {users ? users.join(', ') : 'for all members'}
                </Badge>
              ))}
            </div>
          )}
          <div className="mt-auto flex gap-1.5 border-t border-line pt-3">
            <Link
              href={`/audit-log?organization=${encodeURIComponent(organization.name)}`}
              className={buttonClass('plain', 'small')}
            >
              <Icon name="audit" className="size-3.5" /> Audit log
            </Link>
            <Button size="small" icon="edit" onClick={() => onEdit(organization)}>
              {words.edit}
              <span className="sr-only"> {organization.name}</span>
            </Button>
          </div>
        </article>
      )}
    />
  )
}

/** Members shown on a card; the form lists all. */
const shownMembers = 24
