import { AuditLogPage } from '../../../audit/web/AuditLogPage.tsx'
import { AdminSelect } from '../../../people/web/AdminSelect.tsx'

export const AuditLogScreen = () => <AuditLogPage AdminFilter={AdminSelect} />
