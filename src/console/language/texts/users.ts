import type { Translated } from './translations.ts';

/** Texts of the pages of users. */
export const USERS = {
  'Buyers and sellers of the company.': {
    fr: 'Acheteurs et vendeurs de l’entreprise.',
    pt: 'Compradores e vendedores da empresa.',
  },
  'Name or number': { fr: 'Nom ou numéro', pt: 'Nome ou número' },
  'Bank reference': { fr: 'Référence bancaire', pt: 'Referência bancária' },
  'Mobile number': { fr: 'Numéro de mobile', pt: 'Número de telemóvel' },
  Identity: { fr: 'Identité', pt: 'Identidade' },
  'No users yet': { fr: 'Pas encore d’utilisateurs', pt: 'Ainda não há utilizadores' },
  'Users are registered over the API, in the checkout, or here.': {
    fr: 'Les utilisateurs sont inscrits par l’API, sur la page de paiement ou ici.',
    pt: 'Os utilizadores são registados pela API, na página de pagamento ou aqui.',
  },
  'New user': { fr: 'Nouvel utilisateur', pt: 'Novo utilizador' },
  Person: { fr: 'Personne', pt: 'Pessoa' },
  'National ID number': { fr: 'Numéro d’identité nationale', pt: 'Número de identificação nacional' },
  'National ID': { fr: 'Identité nationale', pt: 'Identificação nacional' },
  'The user is registered.': { fr: 'L’utilisateur est inscrit.', pt: 'O utilizador foi registado.' },
  Verified: { fr: 'Vérifiée', pt: 'Verificada' },
  'Level {level}': { fr: 'Niveau {level}', pt: 'Nível {level}' },
  Identities: { fr: 'Identités', pt: 'Identidades' },
  'Users of the company that is shown, and whether the platform has approved their identity.': {
    fr: 'Utilisateurs de l’entreprise affichée, et approbation de leur identité par la plateforme.',
    pt: 'Utilizadores da empresa apresentada e aprovação da sua identidade pela plataforma.',
  },
  'Changed since approval': { fr: 'Modifié depuis l’approbation', pt: 'Alterado desde a aprovação' },
  'Identities to check, and users whose document has not arrived yet: of all companies, the oldest first.': {
    fr: 'Les identités à vérifier, et les utilisateurs dont la pièce n’est pas encore arrivée : de toutes les entreprises, les plus anciens d’abord.',
    pt: 'As identidades por verificar e os utilizadores cujo documento ainda não chegou: de todas as empresas, os mais antigos primeiro.',
  },
  'All identities of one company': {
    fr: 'Toutes les identités d’une entreprise',
    pt: 'Todas as identidades de uma empresa',
  },
  'No identity waits for the platform now.': {
    fr: 'Aucune identité n’attend la plateforme en ce moment.',
    pt: 'Nenhuma identidade espera pela plataforma neste momento.',
  },
  'Identities of the company': { fr: 'Identités de l’entreprise', pt: 'Identidades da empresa' },
  '{name} is approved, and no identity document is stored.': {
    fr: '{name} est approuvé, et aucune pièce d’identité n’est conservée.',
    pt: '{name} está aprovado, e nenhum documento de identidade está guardado.',
  },
  'The identity document of {name} was deleted.': {
    fr: 'La pièce d’identité de {name} a été supprimée.',
    pt: 'O documento de identidade de {name} foi eliminado.',
  },
  'The identity document of {name} was deleted, so there is nothing to approve. The company uploads it again over the API.':
    {
      fr: 'La pièce d’identité de {name} a été supprimée : il n’y a rien à approuver. L’entreprise l’envoie de nouveau par l’API.',
      pt: 'O documento de identidade de {name} foi eliminado: não há nada para aprovar. A empresa envia-o de novo pela API.',
    },
  'No identity document of {name} is stored, so there is nothing to approve yet. The company uploads it over the API.':
    {
      fr: 'Aucune pièce d’identité de {name} n’est conservée : il n’y a encore rien à approuver. L’entreprise l’envoie par l’API.',
      pt: 'Nenhum documento de identidade de {name} está guardado: ainda não há nada para aprovar. A empresa envia-o pela API.',
    },
  'Nobody waits': { fr: 'Personne n’attend', pt: 'Ninguém à espera' },
  'No identity of this company waits now.': {
    fr: 'Aucune identité de cette entreprise n’attend en ce moment.',
    pt: 'Nenhuma identidade desta empresa espera neste momento.',
  },
  'Changed since the approval: {fields}. Compare the document again.': {
    fr: 'Modifié depuis l’approbation : {fields}. Comparez de nouveau le document.',
    pt: 'Alterado desde a aprovação: {fields}. Compare de novo o documento.',
  },
  'Approve the identity': { fr: 'Approuver l’identité', pt: 'Aprovar a identidade' },
  Approve: { fr: 'Approuver', pt: 'Aprovar' },
  'Revoke the approval': { fr: 'Révoquer l’approbation', pt: 'Revogar a aprovação' },
  '{name} goes back to level 1.': { fr: '{name} revient au niveau 1.', pt: '{name} volta ao nível 1.' },
  'You have compared the document with the name and number of {name}.': {
    fr: 'Vous avez comparé le document avec le nom et le numéro de {name}.',
    pt: 'Comparou o documento com o nome e o número de {name}.',
  },
  'Clear the user': { fr: 'Lever l’inscription sur liste noire', pt: 'Retirar da lista negra' },
  'Blacklist the user': { fr: 'Inscrire sur liste noire', pt: 'Colocar na lista negra' },
  Blacklist: { fr: 'Inscrire', pt: 'Colocar' },
  '{name} can trade and be paid again.': {
    fr: '{name} peut de nouveau effectuer des transactions et être payé.',
    pt: '{name} pode voltar a fazer transações e a receber pagamentos.',
  },
  'No escrow is released to {name} from now on, and {name} cannot withdraw. Automatic releases to them stop. Money that is held stays held. Deciding a dispute can still pay them.':
    {
      fr: 'Désormais, aucun séquestre n’est libéré en faveur de {name}, et {name} ne peut pas effectuer de retrait. Les libérations automatiques en sa faveur s’arrêtent. Les fonds retenus le restent. La décision d’un litige peut encore lui attribuer des fonds.',
      pt: 'A partir de agora, nenhuma custódia é libertada a favor de {name}, e {name} não pode fazer levantamentos. As libertações automáticas a seu favor param. O dinheiro retido continua retido. A decisão de um litígio ainda lhe pode atribuir dinheiro.',
    },
  'For staff of the platform and the company. The user never sees it.': {
    fr: 'Pour les équipes de la plateforme et de l’entreprise. L’utilisateur ne le voit jamais.',
    pt: 'Para o pessoal da plataforma e da empresa. O utilizador nunca o vê.',
  },
  'This user is blacklisted: no escrow is released to them, and they cannot open one, pay or withdraw.': {
    fr: 'Cet utilisateur est sur liste noire : aucun séquestre n’est libéré en sa faveur, et il ne peut ni en ouvrir, ni payer, ni effectuer de retrait.',
    pt: 'Este utilizador está na lista negra: nenhuma custódia é libertada a seu favor, e não pode abrir custódias, pagar nem fazer levantamentos.',
  },
  'This user is blacklisted: no escrow is released to them, and they cannot open one, pay or withdraw. Reason: {reason}':
    {
      fr: 'Cet utilisateur est sur liste noire : aucun séquestre n’est libéré en sa faveur, et il ne peut ni en ouvrir, ni payer, ni effectuer de retrait. Motif : {reason}',
      pt: 'Este utilizador está na lista negra: nenhuma custódia é libertada a seu favor, e não pode abrir custódias, pagar nem fazer levantamentos. Motivo: {reason}',
    },
  'Personal data': { fr: 'Données personnelles', pt: 'Dados pessoais' },
  'Everything that is held about the person, for them to read. The identity document is a file of its own.': {
    fr: 'Tout ce qui est conservé au sujet de la personne, pour qu’elle puisse le lire. La pièce d’identité est un fichier à part.',
    pt: 'Tudo o que está guardado sobre a pessoa, para que o possa ler. O documento de identidade é um ficheiro à parte.',
  },
  'Download the data': { fr: 'Télécharger les données', pt: 'Descarregar os dados' },
  'Erase the person': { fr: 'Effacer la personne', pt: 'Apagar a pessoa' },
  'Names, numbers, e-mail, document, bank details, and what was written about the orders of {name} are gone for ever. Amounts, times and ids stay. It is refused while money or an order of theirs is open, and as long as the law asks for the data.':
    {
      fr: 'Les noms, numéros, adresse e-mail, pièce d’identité, coordonnées bancaires et tout ce qui a été écrit sur les commandes de {name} disparaissent définitivement. Les montants, les dates et les identifiants restent. L’effacement est refusé tant que des fonds ou une commande sont en cours, et tant que la loi exige les données.',
      pt: 'Os nomes, números, e-mail, documento, dados bancários e tudo o que foi escrito sobre as encomendas de {name} desaparecem para sempre. Os montantes, as datas e os identificadores ficam. É recusado enquanto houver dinheiro ou uma encomenda em aberto, e enquanto a lei exigir os dados.',
    },
  'Erase for ever': { fr: 'Effacer définitivement', pt: 'Apagar para sempre' },
  'The person is erased.': { fr: 'La personne est effacée.', pt: 'A pessoa foi apagada.' },
  Erased: { fr: 'Effacé', pt: 'Apagado' },
  'Bank account': { fr: 'Compte bancaire', pt: 'Conta bancária' },
  'branch {branch}': { fr: 'agence {branch}', pt: 'balcão {branch}' },
  'Balances by currency': { fr: 'Soldes par devise', pt: 'Saldos por moeda' },
  'Identity document': { fr: 'Pièce d’identité', pt: 'Documento de identidade' },
  'The identity document of the user': {
    fr: 'La pièce d’identité de l’utilisateur',
    pt: 'O documento de identidade do utilizador',
  },
  'No document': { fr: 'Aucun document', pt: 'Sem documento' },
  'It was deleted, because nothing of the user was open for the time of retention.': {
    fr: 'Elle a été supprimée, car rien de l’utilisateur n’était ouvert pendant la durée de conservation.',
    pt: 'Foi eliminado, porque nada do utilizador esteve aberto durante o prazo de conservação.',
  },
  'The person was erased, and what was stored about them with it.': {
    fr: 'La personne a été effacée, avec ce qui était conservé à son sujet.',
    pt: 'A pessoa foi apagada, com o que estava guardado sobre ela.',
  },
  'None is stored.': { fr: 'Aucune n’est conservée.', pt: 'Nenhum está guardado.' },
  Download: { fr: 'Télécharger', pt: 'Transferir' },
  'Latest escrows as buyer': { fr: 'Derniers séquestres comme acheteur', pt: 'Últimas custódias como comprador' },
  'Latest escrows as seller': { fr: 'Derniers séquestres comme vendeur', pt: 'Últimas custódias como vendedor' },
  'None.': { fr: 'Aucun.', pt: 'Nenhuma.' },
  '{title}, newest first': { fr: '{title}, plus récents d’abord', pt: '{title}, mais recentes primeiro' },
  'The identity is approved.': { fr: 'L’identité est approuvée.', pt: 'A identidade foi aprovada.' },
  'The approval is revoked.': { fr: 'L’approbation est révoquée.', pt: 'A aprovação foi revogada.' },
  'Another user with the same national ID or phone number is blacklisted. Search for the number.': {
    fr: 'Un autre utilisateur avec la même pièce d’identité ou le même téléphone est sur liste noire. Recherchez le numéro.',
    pt: 'Outro utilizador com o mesmo documento de identidade ou telefone está na lista negra. Procure o número.',
  },
  'The user is cleared.': {
    fr: 'L’utilisateur n’est plus sur liste noire.',
    pt: 'O utilizador já não está na lista negra.',
  },
  'The user is blacklisted.': {
    fr: 'L’utilisateur est inscrit sur liste noire.',
    pt: 'O utilizador foi colocado na lista negra.',
  },
} as const satisfies Translated;
