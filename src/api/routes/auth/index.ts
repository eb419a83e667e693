import { createLoginGuard } from '../../auth/login-guard.ts';
import type { ApiDependencies } from '../../context.ts';
import type { Operations } from '../../operation.ts';
import { createSessionAnswers } from './answers.ts';
import { registerLogin } from './login.ts';
import { registerPasswords } from './password.ts';
import { registerSessions } from './sessions.ts';
import { registerTotp } from './totp.ts';

export function registerAuth(operation: Operations, dependencies: ApiDependencies): void {
  const answers = createSessionAnswers(dependencies);
  const guard = createLoginGuard(dependencies.orm);
  registerLogin(operation, dependencies, answers, guard);
  registerPasswords(operation, dependencies, answers, guard);
  registerTotp(operation, dependencies, answers);
  registerSessions(operation, dependencies, answers);
}
