import type { Translated } from './translations.ts';

/** Texts of the pages of platform. */
export const PLATFORM = {
  'Registered {time}': { fr: 'Inscrite le {time}', pt: 'Registada em {time}' },
  Companies: { fr: 'Entreprises', pt: 'Empresas' },
  'All tenants of this installation, and the fee that the platform takes from their escrows.': {
    fr: 'Toutes les entreprises de cette installation, et les frais que la plateforme prélève sur leurs séquestres.',
    pt: 'Todas as empresas desta instalação, e a comissão que a plataforma cobra nas suas custódias.',
  },
  'Name or slug': { fr: 'Nom ou nom court', pt: 'Nome ou nome curto' },
  'Own fee': { fr: 'Frais propres', pt: 'Comissão própria' },
  'Payout limits': { fr: 'Plafonds de versement', pt: 'Limites de pagamento' },
  'Act for': { fr: 'Agir pour', pt: 'Atuar por' },
  'No companies yet': { fr: 'Aucune entreprise pour l’instant', pt: 'Ainda sem empresas' },
  'Companies register over the API.': {
    fr: 'Les entreprises s’enregistrent par l’API.',
    pt: 'As empresas registam-se pela API.',
  },
  'The fee of {company} is changed.': {
    fr: 'Les frais de {company} ont été modifiés.',
    pt: 'A comissão de {company} foi alterada.',
  },
  'Must be a currency of the service.': {
    fr: 'Choisissez une devise du service.',
    pt: 'Escolha uma moeda do serviço.',
  },
  'The payout limit of {company} is changed.': {
    fr: 'Le plafond de versement de {company} a été modifié.',
    pt: 'O limite de pagamento de {company} foi alterado.',
  },
  'Later escrows of {company} pay this fee. Escrows that exist keep theirs.': {
    fr: 'Les séquestres ultérieurs de {company} paient ces frais. Les séquestres existants gardent les leurs.',
    pt: 'As custódias posteriores de {company} pagam esta comissão. As custódias existentes mantêm a sua.',
  },
  'Change the fee': { fr: 'Modifier les frais', pt: 'Alterar a comissão' },
  'Payout limit': { fr: 'Plafond de versement', pt: 'Limite de pagamento' },
  '{company} may pay out this much more than the money that came in for it. 0: nothing more.': {
    fr: '{company} peut verser ce montant de plus que les fonds reçus pour son compte. 0 : rien de plus.',
    pt: '{company} pode pagar este montante a mais do que o dinheiro recebido por sua conta. 0: nada mais.',
  },
  'Change the limit': { fr: 'Modifier le plafond', pt: 'Alterar o limite' },
  'Oldest dispute': { fr: 'Litige le plus ancien', pt: 'Litígio mais antigo' },
  'Transactions not sealed': { fr: 'Transactions non scellées', pt: 'Transações não seladas' },
  'The sealer is behind by': { fr: 'Retard du scellement', pt: 'Atraso da selagem' },
  'Events are behind by': { fr: 'Retard des événements', pt: 'Atraso dos eventos' },
  'Events set aside': { fr: 'Événements mis de côté', pt: 'Eventos postos de parte' },
  'Webhooks are behind by': { fr: 'Retard des webhooks', pt: 'Atraso dos webhooks' },
  'Endpoints that fail': { fr: 'Points de terminaison en échec', pt: 'Endpoints com falhas' },
  'Payments at the gateway': { fr: 'Paiements chez le prestataire', pt: 'Pagamentos no prestador' },
  'Age of the oldest payment': { fr: 'Âge du paiement le plus ancien', pt: 'Idade do pagamento mais antigo' },
  'Payouts at the bank': { fr: 'Versements à la banque', pt: 'Pagamentos no banco' },
  'Age of the oldest payout': {
    fr: 'Âge du versement le plus ancien',
    pt: 'Idade do pagamento ao beneficiário mais antigo',
  },
  'Messages sent, last hour': { fr: 'Messages envoyés, dernière heure', pt: 'Mensagens enviadas, última hora' },
  'Read by the recipient': { fr: 'Lus par le destinataire', pt: 'Lidas pelo destinatário' },
  'Last report before': { fr: 'Dernier compte rendu il y a', pt: 'Último relatório há' },
  'State of the service': { fr: 'État du service', pt: 'Estado do serviço' },
  'What waits': { fr: 'En attente de traitement', pt: 'O que aguarda' },
  Providers: { fr: 'Prestataires', pt: 'Prestadores' },
  'Gateways and operators': { fr: 'Passerelles et opérateurs', pt: 'Gateways e operadores' },
  'Messaging platform: one-time passwords': {
    fr: 'Plateforme de messagerie : codes à usage unique',
    pt: 'Plataforma de mensagens: códigos de utilização única',
  },
  'Workflow runs': { fr: 'Exécutions de workflows', pt: 'Execuções de workflows' },
  'Open escrows': { fr: 'Séquestres ouverts', pt: 'Custódias abertas' },
  'Payments, payouts and users that need a person': {
    fr: 'Paiements, versements et utilisateurs qui exigent une intervention',
    pt: 'Pagamentos e utilizadores que exigem intervenção',
  },
  'A blacklisted person is a user of this company too.': {
    fr: 'Une personne sur liste noire est aussi utilisateur de cette société.',
    pt: 'Uma pessoa na lista negra também é utilizador desta empresa.',
  },
  'The company entered so many blacklisted persons that it can enter no more today. It may be trying people: ask it.': {
    fr: 'La société a saisi tant de personnes sur liste noire qu’elle ne peut plus en saisir aujourd’hui. Elle essaie peut-être des identités : interrogez-la.',
    pt: 'A empresa introduziu tantas pessoas da lista negra que hoje não pode introduzir mais. Pode estar a testar identidades: pergunte-lhe.',
  },
  'The name looks like that of an older company. Buyers may take one for the other.': {
    fr: 'Le nom ressemble à celui d’une société plus ancienne. Les acheteurs peuvent les confondre.',
    pt: 'O nome parece o de uma empresa mais antiga. Os compradores podem confundi-las.',
  },
  'The user has the bank account of a blacklisted person. Check whether it is the same person.': {
    fr: 'L’utilisateur a le compte bancaire d’une personne sur liste noire. Vérifiez s’il s’agit de la même personne.',
    pt: 'O utilizador tem a conta bancária de uma pessoa na lista negra. Verifique se é a mesma pessoa.',
  },
  Audits: { fr: 'Audits', pt: 'Auditorias' },
  'By symptom': { fr: 'Par symptôme', pt: 'Por sintoma' },
  'The books agree: {accounts, plural, one {# account} other {# accounts}} and {transactions, plural, one {# transaction} other {# transactions}} in {duration} ms.':
    {
      fr: 'Les comptes concordent : {accounts, plural, one {# compte} other {# comptes}} et {transactions, plural, one {# transaction} other {# transactions}} en {duration} ms.',
      pt: 'A contabilidade está certa: {accounts, plural, one {# conta} other {# contas}} e {transactions, plural, one {# transação} other {# transações}} em {duration} ms.',
    },
  'The books do not agree: {mismatches, plural, one {# mismatch} other {# mismatches}} in {accounts, plural, one {# account} other {# accounts}} and {transactions, plural, one {# transaction} other {# transactions}} in {duration} ms. Stop payouts.':
    {
      fr: 'Les comptes ne concordent pas : {mismatches, plural, one {# écart} other {# écarts}} dans {accounts, plural, one {# compte} other {# comptes}} et {transactions, plural, one {# transaction} other {# transactions}} en {duration} ms. Arrêtez les versements.',
      pt: 'A contabilidade não está certa: {mismatches, plural, one {# divergência} other {# divergências}} em {accounts, plural, one {# conta} other {# contas}} e {transactions, plural, one {# transação} other {# transações}} em {duration} ms. Suspenda os pagamentos.',
    },
  'The platform has reported nothing for 30 days: no code was sent, or its webhook does not reach the service.': {
    fr: 'La plateforme n’a rien signalé depuis 30 jours : aucun code n’a été envoyé, ou son webhook n’atteint pas le service.',
    pt: 'A plataforma nada comunicou há 30 dias: nenhum código foi enviado, ou o seu webhook não chega ao serviço.',
  },
  nothing: { fr: 'rien', pt: 'nada' },
  'No escrow is open.': { fr: 'Aucun séquestre n’est ouvert.', pt: 'Nenhuma custódia está aberta.' },
  'The payment came after the link had ended. If the escrow was cancelled before, it is refunded. If not, it is on the buyer’s balance: tell the buyer.':
    {
      fr: 'Le paiement est arrivé après la fin du lien. Si le séquestre avait été annulé, il est remboursé. Sinon, il est sur le solde de l’acheteur : prévenez-le.',
      pt: 'O pagamento chegou depois de o link terminar. Se a custódia tinha sido cancelada, é reembolsado. Se não, está no saldo do comprador: avise-o.',
    },
  'The gateway took another amount. Ask the gateway for the amount.': {
    fr: 'La passerelle a encaissé un autre montant. Demandez-lui lequel.',
    pt: 'O gateway cobrou outro montante. Pergunte-lhe qual.',
  },
  'The bank’s answer is unclear. Record what the bank’s statement shows.': {
    fr: 'La réponse de la banque n’est pas claire. Comptabilisez ce que montre le relevé de la banque.',
    pt: 'A resposta do banco não é clara. Registe o que o extrato do banco mostra.',
  },
  'The bank paid after the money was given back. The customer owes what the balance did not cover.': {
    fr: 'La banque a payé après la restitution des fonds. Le client doit ce que le solde n’a pas couvert.',
    pt: 'O banco pagou depois de o dinheiro ser devolvido. O cliente deve o que o saldo não cobriu.',
  },
  'The bank rejected the payment. The money went back to the account.': {
    fr: 'La banque a refusé le paiement. L’argent est revenu sur le compte.',
    pt: 'O banco rejeitou o pagamento. O dinheiro voltou para a conta.',
  },
  'The bank returned the payment. The money went back to the account.': {
    fr: 'La banque a renvoyé le paiement. L’argent est revenu sur le compte.',
    pt: 'O banco devolveu o pagamento. O dinheiro voltou para a conta.',
  },
  'Temporal does not answer, or no sweep over the runs has ended yet.': {
    fr: 'Temporal ne répond pas, ou aucun balayage des exécutions n’est encore terminé.',
    pt: 'O Temporal não responde, ou ainda nenhuma varredura das execuções terminou.',
  },
  'The sweep of {time} compared {rows, plural, one {# row} other {# rows}} and {runs, plural, one {# run} other {# runs}}. It repaired what it counts here; repeated findings without a crash are a bug.':
    {
      fr: 'Le balayage du {time} a comparé {rows, plural, one {# ligne} other {# lignes}} et {runs, plural, one {# exécution} other {# exécutions}}. Il a réparé ce qu’il compte ici ; des constats répétés sans panne sont un bogue.',
      pt: 'A varredura de {time} comparou {rows, plural, one {# linha} other {# linhas}} e {runs, plural, one {# execução} other {# execuções}}. Reparou o que aqui conta; achados repetidos sem falha do sistema são um erro do programa.',
    },
  Missing: { fr: 'Manquantes', pt: 'Em falta' },
  'Behind their row': { fr: 'En retard sur leur ligne', pt: 'Atrasadas face à sua linha' },
  Overdue: { fr: 'En retard', pt: 'Em atraso' },
  'Open after the end': { fr: 'Ouvertes après la fin', pt: 'Abertas após o fim' },
  'Failing at every step': { fr: 'En échec à chaque étape', pt: 'Com falha em cada passo' },
  'Wait for a person': { fr: 'En attente d’une intervention', pt: 'Aguardam intervenção' },
  Nothing: { fr: 'Rien', pt: 'Nada' },
  'No payment, payout or user needs a person.': {
    fr: 'Aucun paiement, versement ou utilisateur n’exige d’intervention.',
    pt: 'Nenhum pagamento ou utilizador exige intervenção.',
  },
  'The latest ten of each kind': { fr: 'Les dix plus récents de chaque type', pt: 'Os dez mais recentes de cada tipo' },
  What: { fr: 'Quoi', pt: 'O quê' },
  Means: { fr: 'Signification', pt: 'Significado' },
  Object: { fr: 'Objet', pt: 'Objeto' },
  'Audit now': { fr: 'Auditer maintenant', pt: 'Auditar agora' },
  'No audit has been kept yet. Workers audit new transactions every 15 minutes.': {
    fr: 'Aucun audit n’a encore été conservé. Les workers auditent les nouveautés toutes les 15 minutes.',
    pt: 'Ainda nenhuma auditoria foi guardada. Os workers auditam o que é novo a cada 15 minutos.',
  },
  'Audits that found nothing': { fr: 'Audits sans anomalie', pt: 'Auditorias sem anomalias' },
  Everything: { fr: 'Tout', pt: 'Tudo' },
  'What was new': { fr: 'Les nouveautés', pt: 'O que era novo' },
  Number: { fr: 'Numéro', pt: 'Número' },
  'Root over the heads of all chains': {
    fr: 'Racine des têtes de toutes les chaînes',
    pt: 'Raiz sobre as cabeças de todas as cadeias',
  },
  'The API answers 503, or the database or Temporal is down': {
    fr: 'L’API répond 503, ou la base de données ou Temporal est en panne',
    pt: 'A API responde 503, ou a base de dados ou o Temporal está em baixo',
  },
  Readiness: { fr: 'Disponibilité', pt: 'Prontidão' },
  Serving: { fr: 'En service', pt: 'Em serviço' },
  'A workflow task fails, a run is missing, behind or stuck': {
    fr: 'Une tâche de workflow échoue, une exécution manque, est en retard ou bloquée',
    pt: 'Uma tarefa de workflow falha, uma execução falta, está atrasada ou bloqueada',
  },
  Sweeps: { fr: 'Balayages', pt: 'Varreduras' },
  'A step waits for a privilege (database_denies)': {
    fr: 'Une étape attend un privilège (database_denies)',
    pt: 'Um passo aguarda um privilégio (database_denies)',
  },
  Runs: { fr: 'Exécutions', pt: 'Execuções' },
  'A release is blocked': { fr: 'Une libération est bloquée', pt: 'Uma libertação está bloqueada' },
  'A signal was refused': { fr: 'Un signal a été refusé', pt: 'Um sinal foi recusado' },
  'The books do not agree': { fr: 'Les comptes ne concordent pas', pt: 'A contabilidade não está certa' },
  'An escrow, a link or a payout has no run': {
    fr: 'Un séquestre, un lien ou un versement n’a pas d’exécution',
    pt: 'Uma custódia, um link ou um pagamento não tem execução',
  },
  'A company gets no webhooks, they come late, or its endpoint is refused': {
    fr: 'Une entreprise ne reçoit pas de webhooks, ils arrivent en retard, ou son point de terminaison est refusé',
    pt: 'Uma empresa não recebe webhooks, chegam tarde, ou o seu endpoint é recusado',
  },
  'New events do not appear, or one is missing': {
    fr: 'De nouveaux événements n’apparaissent pas, ou il en manque un',
    pt: 'Os novos eventos não aparecem, ou falta um',
  },
  'Disputes wait': { fr: 'Des litiges attendent', pt: 'Há litígios à espera' },
  'Withdrawals are stuck, or the bank rejected one': {
    fr: 'Des retraits sont bloqués, ou la banque en a rejeté un',
    pt: 'Há levantamentos bloqueados, ou o banco rejeitou um',
  },
  'At the bank': { fr: 'À la banque', pt: 'No banco' },
  'Payments are stuck': { fr: 'Des paiements sont bloqués', pt: 'Há pagamentos bloqueados' },
  'Links with a payment in progress': { fr: 'Liens avec un paiement en cours', pt: 'Links com um pagamento em curso' },
  'Money whose owner is unknown': {
    fr: 'Fonds dont le propriétaire est inconnu',
    pt: 'Dinheiro de proprietário desconhecido',
  },
  'Receipts in suspense': { fr: 'Encaissements en compte d’attente', pt: 'Recebimentos em conta de espera' },
  'Someone is guessing passwords or codes': {
    fr: 'Quelqu’un essaie de deviner des mots de passe ou des codes',
    pt: 'Alguém tenta adivinhar palavras-passe ou códigos',
  },
  'Symptoms, and where to look': { fr: 'Symptômes, et où regarder', pt: 'Sintomas, e onde procurar' },
  'What you see': { fr: 'Ce que vous voyez', pt: 'O que vê' },
  'Look at': { fr: 'À consulter', pt: 'A consultar' },
  'Temporal’s UI': { fr: 'L’interface de Temporal', pt: 'A interface do Temporal' },
} as const satisfies Translated;
