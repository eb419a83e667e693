import type { Translated } from './translations.ts';

/** Texts of the pages of disputes. */
export const DISPUTES = {
  'Dispute about {reference}': { fr: 'Litige concernant {reference}', pt: 'Litígio sobre {reference}' },
  'Over. Opened by the buyer on {time}.': {
    fr: 'Terminé. Ouvert par l’acheteur le {time}.',
    pt: 'Terminado. Aberto pelo comprador em {time}.',
  },
  'Over. Opened by the seller on {time}.': {
    fr: 'Terminé. Ouvert par le vendeur le {time}.',
    pt: 'Terminado. Aberto pelo vendedor em {time}.',
  },
  '{amount} held, open for {span}, opened by the buyer on {time}.': {
    fr: '{amount} retenus, litige en cours depuis {span}, ouvert par l’acheteur le {time}.',
    pt: '{amount} retidos, litígio em aberto há {span}, aberto pelo comprador em {time}.',
  },
  '{amount} held, open for {span}, opened by the seller on {time}.': {
    fr: '{amount} retenus, litige en cours depuis {span}, ouvert par le vendeur le {time}.',
    pt: '{amount} retidos, litígio em aberto há {span}, aberto pelo vendedor em {time}.',
  },
  'See the escrow': { fr: 'Voir le séquestre', pt: 'Ver a custódia' },
  Decision: { fr: 'Décision', pt: 'Decisão' },
  'The dispute is over. How it ended is in the timeline below.': {
    fr: 'Le litige est terminé. L’historique ci-dessous dit comment.',
    pt: 'O litígio terminou. O histórico abaixo diz como.',
  },
  'An owner or an administrator of the company decides.': {
    fr: 'La décision revient à un propriétaire ou à un administrateur de l’entreprise.',
    pt: 'A decisão cabe a um proprietário ou administrador da empresa.',
  },
  'The seller is blacklisted.': { fr: 'Le vendeur est sur liste noire.', pt: 'O vendedor está na lista negra.' },
  'What you do not give to the seller or to fees goes back to the buyer.': {
    fr: 'Ce que vous n’attribuez ni au vendeur ni aux frais retourne à l’acheteur.',
    pt: 'O que não atribuir ao vendedor nem às comissões volta para o comprador.',
  },
  'Both parties can read it in the timeline.': {
    fr: 'Les deux parties peuvent le lire dans l’historique.',
    pt: 'Ambas as partes o podem ler no histórico.',
  },
  'Review the decision': { fr: 'Vérifier la décision', pt: 'Rever a decisão' },
  'Give the reason for the decision.': { fr: 'Indiquez le motif de la décision.', pt: 'Indique o motivo da decisão.' },
  'The dispute is decided, and the money has moved.': {
    fr: 'Le litige est tranché et les fonds ont été déplacés.',
    pt: 'O litígio foi decidido e o dinheiro foi movimentado.',
  },
  'Tick the box to confirm in spite of the warning.': {
    fr: 'Cochez la case pour confirmer malgré l’avertissement.',
    pt: 'Assinale a caixa para confirmar apesar do aviso.',
  },
  'I have read the warning, and I still decide this way.': {
    fr: 'J’ai lu l’avertissement et je maintiens cette décision.',
    pt: 'Li o aviso e mantenho esta decisão.',
  },
  'Confirm the decision': { fr: 'Confirmer la décision', pt: 'Confirmar a decisão' },
  'This moves, at once and for good:': {
    fr: 'Mouvements immédiats et définitifs :',
    pt: 'Movimentos imediatos e definitivos:',
  },
  'The reason, for both parties:': { fr: 'Le motif, pour les deux parties :', pt: 'O motivo, para ambas as partes:' },
  'Back without a decision': { fr: 'Revenir sans décider', pt: 'Voltar sem decidir' },
  "Buyer's side": { fr: 'Côté acheteur', pt: 'Lado do comprador' },
  "Seller's side": { fr: 'Côté vendeur', pt: 'Lado do vendedor' },
  'From administrators': { fr: 'De la part des administrateurs', pt: 'Dos administradores' },
  'Opened the dispute': { fr: 'A ouvert le litige', pt: 'Abriu o litígio' },
  'Added evidence': { fr: 'A ajouté des preuves', pt: 'Adicionou provas' },
  'Recorded the delivery': { fr: 'A enregistré la livraison', pt: 'Registou a entrega' },
  'Confirmed the receipt': { fr: 'A confirmé la réception', pt: 'Confirmou a receção' },
  'Proposed a split': { fr: 'A proposé une répartition', pt: 'Propôs uma repartição' },
  'Has not sent anything.': { fr: 'N’a rien envoyé.', pt: 'Não enviou nada.' },
  'Largest amount first': { fr: 'Montants décroissants', pt: 'Montante maior primeiro' },
  'Smallest amount first': { fr: 'Montants croissants', pt: 'Montante menor primeiro' },
  'Everybody’s': { fr: 'Tous', pt: 'De todos' },
  'Assigned to me': { fr: 'Attribués à moi', pt: 'Atribuídos a mim' },
  'Assigned to nobody': { fr: 'Non attribués', pt: 'Não atribuídos' },
  'Disputes that wait for a decision, with the money they hold.': {
    fr: 'Litiges en attente d’une décision, avec les fonds qu’ils retiennent.',
    pt: 'Litígios que aguardam decisão, com o dinheiro que retêm.',
  },
  'No open dispute': { fr: 'Aucun litige ouvert', pt: 'Nenhum litígio aberto' },
  'When a buyer or a seller opens one, it waits here for a decision.': {
    fr: 'Lorsqu’un acheteur ou un vendeur en ouvre un, il attend ici une décision.',
    pt: 'Quando um comprador ou um vendedor abre um, este aguarda aqui uma decisão.',
  },
  Assignment: { fr: 'Attribution', pt: 'Atribuição' },
  'Open disputes': { fr: 'Litiges ouverts', pt: 'Litígios abertos' },
  'Open for': { fr: 'Ouvert depuis', pt: 'Aberto há' },
  'Opened by': { fr: 'Ouvert par', pt: 'Aberto por' },
  'Assigned to': { fr: 'Attribué à', pt: 'Atribuído a' },
  'The parts exceed the {held} that are held by {over}.': {
    fr: 'La somme des parts dépasse de {over} les {held} retenus.',
    pt: 'A soma das partes excede em {over} os {held} retidos.',
  },
  'The seller is blacklisted, and this decision pays them.': {
    fr: 'Le vendeur est sur liste noire, et cette décision le paie.',
    pt: 'O vendedor está na lista negra, e esta decisão paga-lhe.',
  },
  '{amount} of the payment was taken back. What is still owed of it is settled first, from what the buyer gets.': {
    fr: '{amount} du paiement ont été repris. Ce qui en reste dû est d’abord réglé sur ce que l’acheteur reçoit.',
    pt: '{amount} do pagamento foram retirados. O que ainda se deve disso liquida-se primeiro do que o comprador recebe.',
  },
  'The fees are higher than the {amount} that the escrow was agreed with.': {
    fr: 'Les frais sont supérieurs aux {amount} convenus pour le séquestre.',
    pt: 'As comissões são superiores aos {amount} acordados para a custódia.',
  },
  'The seller gets nothing, and the buyer still pays fees.': {
    fr: 'Le vendeur ne reçoit rien, et l’acheteur paie tout de même des frais.',
    pt: 'O vendedor não recebe nada, e o comprador paga ainda assim comissões.',
  },
  'Held now': { fr: 'Retenu actuellement', pt: 'Retido atualmente' },
  'Assign to me': { fr: 'M’attribuer le litige', pt: 'Atribuir a mim' },
  'Assign to nobody': { fr: 'Retirer l’attribution', pt: 'Retirar a atribuição' },
  'Assign to somebody': { fr: 'Attribuer à quelqu’un', pt: 'Atribuir a alguém' },
  'Assign the dispute': { fr: 'Attribuer le litige', pt: 'Atribuir o litígio' },
  'The dispute is assigned to nobody.': {
    fr: 'Le litige n’est attribué à personne.',
    pt: 'O litígio não está atribuído a ninguém.',
  },
  'The dispute is assigned to {name}.': {
    fr: 'Le litige est attribué à {name}.',
    pt: 'O litígio está atribuído a {name}.',
  },
  'Internal notes': { fr: 'Notes internes', pt: 'Notas internas' },
  'Buyers and sellers never see them.': {
    fr: 'Les acheteurs et les vendeurs ne les voient jamais.',
    pt: 'Os compradores e os vendedores nunca as veem.',
  },
  'New note': { fr: 'Nouvelle note', pt: 'Nova nota' },
  'Add the note': { fr: 'Ajouter la note', pt: 'Adicionar a nota' },
  'Add a note': { fr: 'Ajouter une note', pt: 'Adicionar uma nota' },
  'The note is added.': { fr: 'La note est ajoutée.', pt: 'A nota foi adicionada.' },
} as const satisfies Translated;
